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
} // namespace tessera::benchmarks
