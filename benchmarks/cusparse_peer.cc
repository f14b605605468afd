#include "cusparse_peer.h"

#include <tessera/base/array.h>
#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/base/parallel_vector.h>

#include <cusparse.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace tessera::benchmarks
{
  namespace
  {
    void
    check(const cusparseStatus_t status, const char *call)
    {
      if (status != CUSPARSE_STATUS_SUCCESS)
        throw DeviceError(
          std::string("The call ") + call +
          " of cuSPARSE failed: " + cusparseGetErrorString(status) + ".");
    }

    /// Deleter of an object of cuSPARSE.
    template <auto destroy>
    struct Destroy
    {
      template <class T>
      void
      operator()(T *object) const
      {
        destroy(object);
      }
    };

    using Handle = std::unique_ptr<cusparseContext, Destroy<cusparseDestroy>>;
    using Matrix =
      std::unique_ptr<cusparseSpMatDescr, Destroy<cusparseDestroySpMat>>;
    using DenseVector =
      std::unique_ptr<cusparseDnVecDescr, Destroy<cusparseDestroyDnVec>>;

    cusparseSpMVAlg_t
    algorithm_of(const std::string &name)
    {
      const cusparseSpMVAlg_t algorithms[] = {CUSPARSE_SPMV_CSR_ALG1,
                                              CUSPARSE_SPMV_CSR_ALG2,
                                              CUSPARSE_SPMV_SELL_ALG1};
      return algorithms[index_of_name(name, cusparse_algorithms(),
                                      "cuSPARSE algorithm")];
    }

    /// Rows in slices of 32, each as wide as its longest row, column by column.
    /// cuSPARSE converts nothing into it: the host does. Padding has column -1.
    template <class Number>
    struct SlicedEll
    {
      static constexpr int slice_rows = 32;
      Array<int> starts, columns;
      Array<Number> values;

      SlicedEll() = default;

      explicit SlicedEll(const CsrMatrix<Number> &csr)
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
        starts  = Array<int>(Backend::cuda, slice_starts);
        columns = Array<int>(Backend::cuda, all_columns);
        values  = Array<Number>(Backend::cuda, all_values);
      }

      std::size_t
      bytes() const
      {
        return starts.bytes() + columns.bytes() + values.bytes();
      }
    };

    template <class Number>
    class Cusparse : public Operator<Number>
    {
    public:
      Cusparse(const CsrMatrix<Number> &csr, const int n_tail,
               const std::string &algorithm)
        : rows(csr.n_rows()), n_tail_entries(n_tail),
          algorithm(algorithm_of(algorithm)), matrix_bytes(csr.bytes()),
          placeholder(Backend::cuda, csr.n_rows())
      {
        cusparseHandle_t new_handle = nullptr;
        check(cusparseCreate(&new_handle), "cusparseCreate");
        handle.reset(new_handle);
        if (is_sliced())
          sliced = SlicedEll<Number>(csr);
        matrix.reset(is_sliced() ? describe_sliced(csr) : describe(csr));
        x = make_vector_of_rows();
        y = make_vector_of_rows();

        std::size_t bytes = 0;
        check(cusparseSpMV_bufferSize(handle.get(),
                                      CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                      matrix.get(), x.get(), &zero, y.get(),
                                      type, this->algorithm, &bytes),
              "cusparseSpMV_bufferSize");
        buffer = Array<char>(Backend::cuda, bytes);
        check(cusparseSpMV_preprocess(handle.get(),
                                      CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                      matrix.get(), x.get(), &zero, y.get(),
                                      type, this->algorithm, buffer.data()),
              "cusparseSpMV_preprocess");
        runtime::synchronize({});
      }

      Backend
      backend() const override
      {
        return Backend::cuda;
      }

      int
      n_owned() const override
      {
        return rows;
      }

      int
      n_tail() const override
      {
        return n_tail_entries;
      }

      void
      vmult(Vector<Number> &result, const Vector<Number> &from,
            const Epilogue<Number> &epilogue,
            const Stream stream) const override
      {
        if (epilogue.kind != Epilogue<Number>::Kind::store)
          throw std::logic_error("the cuSPARSE operator can only store");
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
                           algorithm, const_cast<char *>(buffer.data())),
              "cusparseSpMV");
      }

      void
      diagonal(Vector<Number> &, Stream) const override
      {
        throw std::logic_error("the cuSPARSE operator has no diagonal");
      }

      Traffic
      traffic() const override
      {
        return {matrix_bytes + 2 * sizeof(Number) * rows,
                is_sliced() ? sliced.bytes() : matrix_bytes};
      }

      bool
      repeatable() const override
      {
        return algorithm != CUSPARSE_SPMV_CSR_ALG1;
      }

      std::string
      name() const override
      {
        return "csr";
      }

    private:
      bool
      is_sliced() const
      {
        return algorithm == CUSPARSE_SPMV_SELL_ALG1;
      }

      cusparseSpMatDescr_t
      describe(const CsrMatrix<Number> &csr) const
      {
        if (csr.row_start_32() == nullptr)
          throw DeviceError(
            "cuSPARSE was given " + std::to_string(csr.n_nonzeros()) +
            " nonzeros; 32-bit row starts reach to 2147483647.");
        cusparseSpMatDescr_t result = nullptr;
        check(cusparseCreateCsr(&result, rows, rows, csr.n_nonzeros(),
                                const_cast<int *>(csr.row_start_32()),
                                const_cast<int *>(csr.columns()),
                                const_cast<Number *>(csr.values().data()),
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_BASE_ZERO, type),
              "cusparseCreateCsr");
        return result;
      }

      cusparseSpMatDescr_t
      describe_sliced(const CsrMatrix<Number> &csr)
      {
        cusparseSpMatDescr_t result = nullptr;
        check(cusparseCreateSlicedEll(
                &result, rows, rows, csr.n_nonzeros(), sliced.values.size(),
                SlicedEll<Number>::slice_rows, sliced.starts.data(),
                sliced.columns.data(), sliced.values.data(), CUSPARSE_INDEX_32I,
                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type),
              "cusparseCreateSlicedEll");
        return result;
      }

      DenseVector
      make_vector_of_rows()
      {
        cusparseDnVecDescr_t vector = nullptr;
        check(cusparseCreateDnVec(&vector, rows, placeholder.data(), type),
              "cusparseCreateDnVec");
        return DenseVector(vector);
      }

      static constexpr cudaDataType type =
        std::is_same_v<Number, double> ? CUDA_R_64F : CUDA_R_32F;

      const Number one = 1, zero = 0;
      int rows;
      int n_tail_entries;
      cusparseSpMVAlg_t algorithm;
      std::uint64_t matrix_bytes;
      /// Descriptors want some address; vmult sets those of its vectors.
      Array<Number> placeholder;
      SlicedEll<Number> sliced; ///< of that algorithm
      Array<char> buffer;
      Handle handle;
      Matrix matrix;
      DenseVector x, y;
    };
  } // namespace

  std::vector<std::string>
  cusparse_algorithms()
  {
    return {"csr_alg1", "csr_alg2", "sell_alg1"};
  }

  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_cusparse(const CsrMatrix<Number> &matrix, const int n_tail,
                const std::string &algorithm)
  {
    return std::make_unique<Cusparse<Number>>(matrix, n_tail, algorithm);
  }

  template std::unique_ptr<Operator<double>>
  make_cusparse(const CsrMatrix<double> &, int, const std::string &);
  template std::unique_ptr<Operator<float>>
  make_cusparse(const CsrMatrix<float> &, int, const std::string &);
} // namespace tessera::benchmarks
