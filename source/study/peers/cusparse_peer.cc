#include "cusparse_peer.h"
#include "block_rows.h"
#include "cusparse_calls.h"
#include "peer_operator.h"

#include <tessera/base/array.h>
#include <tessera/base/parallel_vector.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace tessera::benchmarks
{
  namespace
  {
    struct Algorithm
    {
      const char *name;
      cusparseSpMVAlg_t id;
      int block; ///< rows of a block of BSR, or 1 for single entries
      bool repeatable;
    };

    // cuSPARSE promises repeatable bits for the second algorithms of CSR and
    // COO, and nothing for BSR.
    constexpr Algorithm algorithms[] = {
      {"csr_alg1", CUSPARSE_SPMV_CSR_ALG1, 1, false},
      {"csr_alg2", CUSPARSE_SPMV_CSR_ALG2, 1, true},
      {"sell_alg1", CUSPARSE_SPMV_SELL_ALG1, 1, true},
      {"coo_alg1", CUSPARSE_SPMV_COO_ALG1, 1, false},
      {"coo_alg2", CUSPARSE_SPMV_COO_ALG2, 1, true},
      {"bsr2_alg1", CUSPARSE_SPMV_BSR_ALG1, 2, false},
      {"bsr3_alg1", CUSPARSE_SPMV_BSR_ALG1, 3, false},
      {"bsr4_alg1", CUSPARSE_SPMV_BSR_ALG1, 4, false}};

    const Algorithm &
    algorithm_of(const std::string &name)
    {
      for (const Algorithm &algorithm : algorithms)
        if (algorithm.name == name)
          return algorithm;
      throw std::logic_error("no algorithm of cuSPARSE has that name");
    }

    /// A matrix on the device in a format other than compressed rows. The host
    /// makes it, because cuSPARSE does not convert into these formats.
    template <class Number>
    struct Arrays
    {
      Array<int> starts; ///< starts of slices or block rows, or rows of entries
      Array<int> columns;
      Array<Number> values;

      std::size_t
      bytes() const
      {
        return starts.bytes() + columns.bytes() + values.bytes();
      }
    };

    constexpr int slice_rows = 32;

    /// Returns rows in slices of 32, each as wide as its longest row, column by
    /// column. Padding has column -1.
    template <class Number>
    Arrays<Number>
    slice(const CsrMatrix<Number> &csr)
    {
      const SparsityPattern pattern        = csr.pattern();
      const std::vector<Number> csr_values = csr.values().to_vector();
      const auto &row_start                = pattern.row_start;
      const int n_rows                     = csr.n_rows();
      std::vector<int> slice_starts        = {0};
      std::int64_t places                  = 0;
      for (int first = 0; first < n_rows; first += slice_rows)
        {
          std::int64_t width = 0;
          const int last     = std::min(first + slice_rows, n_rows);
          for (int row = first; row < last; ++row)
            width = std::max(width, row_start[row + 1] - row_start[row]);
          places += width * slice_rows;
          if (places > std::numeric_limits<int>::max())
            throw DeviceError(
              "The sliced ELLPACK of cuSPARSE would have "
              "more than 2147483647 places, beyond which "
              "32-bit offsets do not reach.");
          slice_starts.push_back(static_cast<int>(places));
        }
      auto all_columns = parallel_vector<int>(places, -1);
      auto all_values  = parallel_vector<Number>(places);
#pragma omp parallel for schedule(static)
      for (int row = 0; row < n_rows; ++row)
        {
          std::size_t to = slice_starts[row / slice_rows] + row % slice_rows;
          for (auto k = row_start[row]; k < row_start[row + 1];
               ++k, to += slice_rows)
            {
              all_columns[to] = pattern.columns[k];
              all_values[to]  = csr_values[k];
            }
        }
      return {{Backend::cuda, slice_starts},
              {Backend::cuda, all_columns},
              {Backend::cuda, all_values}};
    }

    /// Returns the row of each entry; columns and values are in `csr`.
    template <class Number>
    Arrays<Number>
    index_rows(const CsrMatrix<Number> &csr)
    {
      const SparsityPattern pattern = csr.pattern();
      auto rows = parallel_vector<int>(pattern.n_nonzeros());
#pragma omp parallel for schedule(static)
      for (int row = 0; row < pattern.n_rows(); ++row)
        std::fill(rows.begin() + pattern.row_start[row],
                  rows.begin() + pattern.row_start[row + 1], row);
      return {{Backend::cuda, rows}, {}, {}};
    }

    template <class Number>
    Arrays<Number>
    make_blocks(const CsrMatrix<Number> &csr, const int n_columns,
                const int block)
    {
      const BlockRows<Number> blocks = make_block_rows(
        csr.pattern(), csr.values().to_vector(), n_columns, block);
      return {{Backend::cuda, blocks.starts},
              {Backend::cuda, blocks.columns},
              {Backend::cuda, blocks.values}};
    }

    template <class Number>
    class Cusparse : public PeerOperator<Number>
    {
    public:
      Cusparse(const CsrMatrix<Number> &csr, const int n_tail,
               const Algorithm &algorithm)
        : PeerOperator<Number>(Backend::cuda, csr.n_rows(), n_tail),
          rows(csr.n_rows()), n_tail_entries(n_tail), algorithm(algorithm),
          csr_bytes(csr.bytes()), placeholder(Backend::cuda, rows + n_tail)
      {
        handle = make_cusparse_handle();
        matrix.reset(describe(csr));
        x = make_vector(n_columns());
        y = make_vector(rows);

        std::size_t bytes = 0;
        check(cusparseSpMV_bufferSize(handle.get(),
                                      CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                      matrix.get(), x.get(), &zero, y.get(),
                                      type, algorithm.id, &bytes),
              "cusparseSpMV_bufferSize");
        buffer = Array<char>(Backend::cuda, bytes);
        // Some formats have nothing to prepare.
        const cusparseStatus_t status = cusparseSpMV_preprocess(
          handle.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix.get(),
          x.get(), &zero, y.get(), type, algorithm.id, buffer.data());
        if (status != CUSPARSE_STATUS_NOT_SUPPORTED)
          check(status, "cusparseSpMV_preprocess");
        runtime::synchronize({});
      }

      Traffic
      traffic() const override
      {
        return {csr_bytes + 2 * sizeof(Number) * rows, matrix_bytes};
      }

      bool
      repeatable() const override
      {
        return algorithm.repeatable;
      }

    protected:
      void
      multiply(Vector<Number> &result, const Vector<Number> &from,
               const Stream stream) const override
      {
        check(cusparseSetStream(handle.get(),
                                static_cast<cudaStream_t>(stream.handle)),
              "cusparseSetStream");
        check(
          cusparseDnVecSetValues(x.get(), const_cast<Number *>(from.data())),
          "cusparseDnVecSetValues");
        check(cusparseDnVecSetValues(y.get(), result.data()),
              "cusparseDnVecSetValues");
        check(cusparseSpMV(handle.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                           matrix.get(), x.get(), &zero, y.get(), type,
                           algorithm.id, const_cast<char *>(buffer.data())),
              "cusparseSpMV");
      }

    private:
      /// Returns the length of the vector that is multiplied, in whole blocks.
      int
      n_columns() const
      {
        return (rows + n_tail_entries) / algorithm.block * algorithm.block;
      }

      /// Makes the arrays of the format and describes the matrix.
      cusparseSpMatDescr_t
      describe(const CsrMatrix<Number> &csr)
      {
        if (csr.row_start_32() == nullptr)
          throw DeviceError(
            "cuSPARSE was given " + std::to_string(csr.n_nonzeros()) +
            " nonzeros; 32-bit row starts reach to 2147483647.");
        const auto nonzeros         = csr.n_nonzeros();
        int *const columns          = const_cast<int *>(csr.columns());
        Number *const values        = const_cast<Number *>(csr.values().data());
        constexpr auto index        = CUSPARSE_INDEX_32I;
        constexpr auto from         = CUSPARSE_INDEX_BASE_ZERO;
        cusparseSpMatDescr_t result = nullptr;
        matrix_bytes                = csr_bytes;
        switch (algorithm.id)
          {
            case CUSPARSE_SPMV_SELL_ALG1:
              arrays       = slice(csr);
              matrix_bytes = arrays.bytes();
              check(cusparseCreateSlicedEll(
                      &result, rows, n_columns(), nonzeros,
                      arrays.values.size(), slice_rows, arrays.starts.data(),
                      arrays.columns.data(), arrays.values.data(), index, index,
                      from, type),
                    "cusparseCreateSlicedEll");
              break;
            case CUSPARSE_SPMV_COO_ALG1:
            case CUSPARSE_SPMV_COO_ALG2:
              arrays       = index_rows(csr);
              matrix_bytes = csr_bytes - csr.index_bytes() + arrays.bytes();
              check(cusparseCreateCoo(&result, rows, n_columns(), nonzeros,
                                      arrays.starts.data(), columns, values,
                                      index, from, type),
                    "cusparseCreateCoo");
              break;
            case CUSPARSE_SPMV_BSR_ALG1:
              arrays = make_blocks(csr, rows + n_tail_entries, algorithm.block);
              matrix_bytes = arrays.bytes();
              check(cusparseCreateBsr(
                      &result, rows / algorithm.block,
                      n_columns() / algorithm.block, arrays.columns.size(),
                      algorithm.block, algorithm.block, arrays.starts.data(),
                      arrays.columns.data(), arrays.values.data(), index, index,
                      from, type, CUSPARSE_ORDER_ROW),
                    "cusparseCreateBsr");
              break;
            default:
              check(cusparseCreateCsr(&result, rows, n_columns(), nonzeros,
                                      const_cast<int *>(csr.row_start_32()),
                                      columns, values, index, index, from,
                                      type),
                    "cusparseCreateCsr");
          }
        return result;
      }

      DenseDescriptor
      make_vector(const int size)
      {
        cusparseDnVecDescr_t vector = nullptr;
        check(cusparseCreateDnVec(&vector, size, placeholder.data(), type),
              "cusparseCreateDnVec");
        return DenseDescriptor(vector);
      }

      static constexpr cudaDataType type = cuda_type<Number>;

      const Number one = 1, zero = 0;
      const int rows;
      const int n_tail_entries;
      const Algorithm &algorithm;
      const std::uint64_t csr_bytes;
      std::uint64_t matrix_bytes = 0; ///< that cuSPARSE reads
      /// Descriptors need an address, which vmult replaces by its vectors'.
      Array<Number> placeholder;
      Arrays<Number> arrays; ///< empty for compressed rows
      Array<char> buffer;
      CusparseHandle handle;
      SparseDescriptor matrix;
      DenseDescriptor x, y;
    };
  } // namespace

  std::vector<PeerProduct>
  cusparse_products()
  {
    std::vector<PeerProduct> products;
    for (const Algorithm &algorithm : algorithms)
      {
        const std::string name = algorithm.name;
        const auto make        = [name](const auto &from) {
          return make_cusparse(*from.csr, from.n_tail, name);
        };
        const bool is_csr = algorithm.id == CUSPARSE_SPMV_CSR_ALG1 ||
                            algorithm.id == CUSPARSE_SPMV_CSR_ALG2;
        products.push_back(
          {{{"algorithm", name}}, algorithm.block, is_csr, {make, make}});
      }
    return products;
  }

  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_cusparse(const CsrMatrix<Number> &matrix, const int n_tail,
                const std::string &algorithm)
  {
    require_single_entries(matrix.blocks().size);
    return std::make_unique<Cusparse<Number>>(matrix, n_tail,
                                              algorithm_of(algorithm));
  }

  template std::unique_ptr<Operator<double>>
  make_cusparse(const CsrMatrix<double> &, int, const std::string &);
  template std::unique_ptr<Operator<float>>
  make_cusparse(const CsrMatrix<float> &, int, const std::string &);
} // namespace tessera::benchmarks
