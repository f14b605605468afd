#pragma once

#include "cusparse_calls.h"

#include <tessera/base/vector.h>
#include <tessera/matrix/csr.h>

#include <optional>

// Incomplete factorisations of cuSPARSE.
namespace tessera::benchmarks
{
  using Triangular =
    std::unique_ptr<cusparseSpSVDescr, Destroy<cusparseSpSV_destroyDescr>>;
  using OldMatrix =
    std::unique_ptr<cusparseMatDescr, Destroy<cusparseDestroyMatDescr>>;

  /// The calls of a number type: `call<Number>(of_double, of_float)`.
  template <class Number, class OfDouble, class OfFloat>
  constexpr auto
  call(OfDouble of_double, OfFloat of_float)
  {
    if constexpr (sizeof(Number) == 8)
      return of_double;
    else
      return of_float;
  }

  /// One triangle of a matrix, with which equations are solved.
  template <class Number>
  class Triangle
  {
  public:
    Triangle(cusparseHandle_t handle, const CsrMatrix<Number> &pattern,
             Array<Number> &values, cusparseFillMode_t fill,
             cusparseDiagType_t diagonal, const cusparseOperation_t op,
             Vector<Number> &r, Vector<Number> &z)
      : handle(handle), op(op)
    {
      const int n                       = pattern.n_rows();
      cusparseSpMatDescr_t created      = nullptr;
      cusparseSpSVDescr_t made_analysis = nullptr;
      check(cusparseCreateCsr(&created, n, n, pattern.n_nonzeros(),
                              const_cast<int *>(pattern.row_start_32()),
                              const_cast<int *>(pattern.columns()),
                              values.data(), CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                              type),
            "cusparseCreateCsr");
      matrix.reset(created);
      check(cusparseSpMatSetAttribute(created, CUSPARSE_SPMAT_FILL_MODE, &fill,
                                      sizeof fill),
            "cusparseSpMatSetAttribute");
      check(cusparseSpMatSetAttribute(created, CUSPARSE_SPMAT_DIAG_TYPE,
                                      &diagonal, sizeof diagonal),
            "cusparseSpMatSetAttribute");
      check(cusparseSpSV_createDescr(&made_analysis),
            "cusparseSpSV_createDescr");
      analysis.reset(made_analysis);
      from = make_vector(n, r);
      to   = make_vector(n, z);

      std::size_t bytes = 0;
      check(cusparseSpSV_bufferSize(handle, op, &one, matrix.get(), from.get(),
                                    to.get(), type, CUSPARSE_SPSV_ALG_DEFAULT,
                                    analysis.get(), &bytes),
            "cusparseSpSV_bufferSize");
      buffer = Array<char>(Backend::cuda, bytes);
      check(cusparseSpSV_analysis(handle, op, &one, matrix.get(), from.get(),
                                  to.get(), type, CUSPARSE_SPSV_ALG_DEFAULT,
                                  analysis.get(), buffer.data()),
            "cusparseSpSV_analysis");
    }

    /// Solves for the vectors that the constructor was given.
    void
    solve() const
    {
      check(cusparseSpSV_solve(handle, op, &one, matrix.get(), from.get(),
                               to.get(), type, CUSPARSE_SPSV_ALG_DEFAULT,
                               analysis.get()),
            "cusparseSpSV_solve");
    }

  private:
    static DenseDescriptor
    make_vector(const int n, Vector<Number> &v)
    {
      cusparseDnVecDescr_t created = nullptr;
      check(cusparseCreateDnVec(&created, n, v.data(), type),
            "cusparseCreateDnVec");
      return DenseDescriptor(created);
    }

    static constexpr cudaDataType type = cuda_type<Number>;

    cusparseHandle_t handle;
    cusparseOperation_t op;
    const Number one = 1;
    SparseDescriptor matrix;
    DenseDescriptor from, to;
    Triangular analysis;
    Array<char> buffer;
  };

  /// z = M^-1 r with an incomplete factorisation in the pattern of A.
  template <class Number>
  class Incomplete
  {
  public:
    Incomplete(const CsrMatrix<Number> &A, const bool cholesky,
               Vector<Number> &r, Vector<Number> &z)
      : handle(make_cusparse_handle()),
        values(Backend::cuda, A.values().size()),
        between(Backend::cuda, A.n_rows(), 0)
    {
      runtime::copy(values.data(), A.values().data(), values.bytes(),
                    runtime::Copy::device_to_device);
      runtime::synchronize({});
      if (cholesky)
        factorize<csric02Info_t>(
          A, cusparseCreateCsric02Info, cusparseDestroyCsric02Info,
          call<Number>(cusparseDcsric02_bufferSize,
                       cusparseScsric02_bufferSize),
          call<Number>(cusparseDcsric02_analysis, cusparseScsric02_analysis),
          call<Number>(cusparseDcsric02, cusparseScsric02),
          cusparseXcsric02_zeroPivot);
      else
        factorize<csrilu02Info_t>(
          A, cusparseCreateCsrilu02Info, cusparseDestroyCsrilu02Info,
          call<Number>(cusparseDcsrilu02_bufferSize,
                       cusparseScsrilu02_bufferSize),
          call<Number>(cusparseDcsrilu02_analysis, cusparseScsrilu02_analysis),
          call<Number>(cusparseDcsrilu02, cusparseScsrilu02),
          cusparseXcsrilu02_zeroPivot);
      lower.emplace(handle.get(), A, values, CUSPARSE_FILL_MODE_LOWER,
                    cholesky ? CUSPARSE_DIAG_TYPE_NON_UNIT
                             : CUSPARSE_DIAG_TYPE_UNIT,
                    CUSPARSE_OPERATION_NON_TRANSPOSE, r, between);
      upper.emplace(handle.get(), A, values,
                    cholesky ? CUSPARSE_FILL_MODE_LOWER
                             : CUSPARSE_FILL_MODE_UPPER,
                    CUSPARSE_DIAG_TYPE_NON_UNIT,
                    cholesky ? CUSPARSE_OPERATION_TRANSPOSE
                             : CUSPARSE_OPERATION_NON_TRANSPOSE,
                    between, z);
    }

    void
    solve() const
    {
      lower->solve();
      upper->solve();
    }

  private:
    /// Factorises `values` by the functions of cuSPARSE for one kind of
    /// factorisation.
    template <class Info, class Create, class DestroyInfo, class BufferSize,
              class Analyze, class Factorize, class ZeroPivot>
    void
    factorize(const CsrMatrix<Number> &A, const Create &create,
              const DestroyInfo &destroy, const BufferSize &buffer_size,
              const Analyze &analyze, const Factorize &factor,
              const ZeroPivot &zero_pivot)
    {
      cusparseMatDescr_t created = nullptr;
      check(cusparseCreateMatDescr(&created), "cusparseCreateMatDescr");
      const OldMatrix description(created);
      Info info = nullptr;
      check(create(&info), "the information of a factorisation");
      const auto free = [&](Info *) { destroy(info); };
      const std::unique_ptr<Info, decltype(free)> end(&info, free);
      const int n = A.n_rows(), nonzeros = static_cast<int>(A.n_nonzeros());
      const int *const starts = A.row_start_32(), *const columns = A.columns();
      constexpr auto policy = CUSPARSE_SOLVE_POLICY_USE_LEVEL;
      int bytes             = 0;
      check(buffer_size(handle.get(), n, nonzeros, created, values.data(),
                        starts, columns, info, &bytes),
            "the buffer of a factorisation");
      Array<char> buffer(Backend::cuda, bytes);
      check(analyze(handle.get(), n, nonzeros, created, values.data(), starts,
                    columns, info, policy, buffer.data()),
            "the analysis of a factorisation");
      check(factor(handle.get(), n, nonzeros, created, values.data(), starts,
                   columns, info, policy, buffer.data()),
            "the factorisation");
      int row = -1;
      if (zero_pivot(handle.get(), info, &row) == CUSPARSE_STATUS_ZERO_PIVOT)
        throw MatrixError(
          "The incomplete factorisation of cuSPARSE meets a "
          "pivot that is zero in row " +
          std::to_string(row + 1) + '.');
    }

    CusparseHandle handle;
    Array<Number> values;
    Vector<Number> between;
    std::optional<Triangle<Number>> lower, upper;
  };
} // namespace tessera::benchmarks
