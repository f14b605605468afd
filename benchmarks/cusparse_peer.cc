#include "cusparse_peer.h"

#include <tessera/base/array.h>
#include <tessera/base/error.h>
#include <tessera/base/names.h>

#include <cusparse.h>

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
      return index_of_name(name, cusparse_algorithms(), "cuSPARSE algorithm") ==
                 0
               ? CUSPARSE_SPMV_CSR_ALG1
               : CUSPARSE_SPMV_CSR_ALG2;
    }

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
        if (csr.row_start_32() == nullptr)
          throw DeviceError(
            "cuSPARSE was given " + std::to_string(csr.n_nonzeros()) +
            " nonzeros; 32-bit row starts reach to 2147483647.");
        cusparseHandle_t new_handle = nullptr;
        check(cusparseCreate(&new_handle), "cusparseCreate");
        handle.reset(new_handle);
        cusparseSpMatDescr_t new_matrix = nullptr;
        check(cusparseCreateCsr(&new_matrix, rows, rows, csr.n_nonzeros(),
                                const_cast<int *>(csr.row_start_32()),
                                const_cast<int *>(csr.columns()),
                                const_cast<Number *>(csr.values().data()),
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_BASE_ZERO, type),
              "cusparseCreateCsr");
        matrix.reset(new_matrix);
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
        return {matrix_bytes + 2 * sizeof(Number) * rows, matrix_bytes};
      }

      bool
      repeatable() const override
      {
        return algorithm == CUSPARSE_SPMV_CSR_ALG2;
      }

      std::string
      name() const override
      {
        return "csr";
      }

    private:
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
      Array<char> buffer;
      Handle handle;
      Matrix matrix;
      DenseVector x, y;
    };
  } // namespace

  std::vector<std::string>
  cusparse_algorithms()
  {
    return {"csr_alg1", "csr_alg2"};
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
