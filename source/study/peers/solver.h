#pragma once

#include <tessera/matrix/csr.h>
#include <tessera/solvers/cg.h>

#include <limits>

namespace tessera::benchmarks
{
  /// A method that solves one system A x = b, of ours or of another library.
  template <class Number>
  class Solver
  {
  public:
    virtual ~Solver() = default;

    /// Solves from the start vector 0. The given x is overwritten.
    virtual CGResult
    solve(Vector<Number> &x, const Vector<Number> &b,
          const CGControl &control) = 0;

    /// Returns the bytes that an iteration must move, or NaN if they are not
    /// known.
    virtual double
    iteration_bytes() const
    {
      return std::numeric_limits<double>::quiet_NaN();
    }

    std::string method = "classical"; ///< as records show it
    RecordValues parameters;          ///< of the preconditioner, for records
  };

  /// Says how a solve of another library ended.
  inline void
  set_end(CGResult &result, const bool converged, const CGControl &control)
  {
    result.converged = converged;
    result.end       = converged ? SolveEnd::converged
                       : result.iterations >= control.max_iterations
                         ? SolveEnd::iteration_limit
                         : SolveEnd::not_finite;
  }

  /// Makes conjugate gradients as a text book writes them, with calls of
  /// cuSPARSE and cuBLAS alone: cusparseSpMV, dot products whose results the
  /// host reads, axpy, scal and copy. `preconditioner` is `none`, `jacobi`, a
  /// product with a diagonal matrix, or `ic0` or `ilu0` by csric02 or csrilu02
  /// and two cusparseSpSV. The host looks at the residual in every iteration.
  /// `diagonal` is the matrix's, which must outlive the solver. Throws
  /// DeviceError if a call fails or row starts have 64 bits, and MatrixError if
  /// a factorisation meets a pivot that is zero.
  template <class Number>
  std::unique_ptr<Solver<Number>>
  make_cusparse_cg(const CsrMatrix<Number> &matrix,
                   const Vector<Number> &diagonal,
                   const std::string &preconditioner);
} // namespace tessera::benchmarks
