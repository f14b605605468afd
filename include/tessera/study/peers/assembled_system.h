#pragma once

#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>

namespace tessera::benchmarks
{
  /// Systems A x = b that another library assembles and solves, with a matrix
  /// whose values change, such as the tangents of time steps. Only matrices of
  /// cells are ours. All parts of a problem call the functions together.
  class AssembledSystem
  {
  public:
    virtual ~AssembledSystem() = default;

    /// Assembles the matrix of a form on the cells of the problem: computes the
    /// matrices of cells by one thread or more, and adds them up.
    virtual void
    assemble(const FormData<double> &form) = 0;

    /// Solves from the start vector 0; x is overwritten. It ends by the norm of
    /// the residual.
    virtual CGResult
    solve(Vector<double> &x, const Vector<double> &b,
          const CGControl &control) = 0;
  };

  /// The type of the functions that modules have for this. The caller owns the
  /// result, which the problem, on the host, must outlive. They throw
  /// ParameterError for spaces with more than one component, hanging or
  /// constrained nodes. If the library fails, they and the members throw Error.
  using MakeAssembledSystem = AssembledSystem *(const Problem<double> &problem);
} // namespace tessera::benchmarks
