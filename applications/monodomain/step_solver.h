#pragma once

#include <tessera/base/runtime.h>
#include <tessera/dealii/linear_solver.h>
#include <tessera/operators/row_operator.h>

#include <algorithm>

/// Conjugate gradients for the systems of time steps, with a preconditioner of
/// the matrix as it is when this object is made.
class StepSolver
{
public:
  using Vector = tessera::Vector<double>;

  /// Both must outlive this object.
  StepSolver(const tessera::DiscreteProblem &problem,
             const tessera::LinearSystem<double> &system)
    : problem(problem), system(system),
      preconditioner(system.make_preconditioner()),
      method(problem.method_for(system.matrix(), *preconditioner)),
      cg(system.matrix(), *preconditioner, problem.communicator(), method)
  {}

  /// Solves from x on, with the larger one of two absolute tolerances.
  tessera::CGResult
  solve(Vector &x, const Vector &b, const double absolute_tolerance = 0)
  {
    tessera::CGControl control = problem.solver.control;
    // A solve takes about as many iterations as the one before, and those
    // behind its end would be in vain.
    control.check_every = std::clamp(iterations, 1, 16);
    control.verify      = false;
    control.absolute_tolerance =
      std::max(control.absolute_tolerance, absolute_tolerance);
    const tessera::CGResult result =
      cg.solve(x, b,
               tessera::relative_to_right_hand_side(
                 control, *preconditioner, b, problem.communicator().get()));
    iterations = result.iterations;
    return result;
  }

  /// Merges what a record shows of operator, preconditioner and method.
  void
  describe(tessera::RecordValues &parameters) const
  {
    parameters.merge(system.matrix().layout_parameters());
    parameters.merge(system.matrix().product_parameters());
    parameters.merge(preconditioner->parameters());
    parameters["method"] = tessera::to_string(method);
  }

private:
  const tessera::DiscreteProblem &problem;
  const tessera::LinearSystem<double> &system;
  std::unique_ptr<tessera::Preconditioner<double>> preconditioner;
  tessera::CGMethod method;
  tessera::CG<double> cg;
  int iterations = 4; ///< of the solve before
};

/// Writes the rows of A, in their order, to the file that --export-matrix
/// names, if any.
inline void
store_matrix(const tessera::DiscreteProblem &problem,
             const tessera::Operator<double> &A)
{
  if (problem.matrix_file.empty())
    return;
  tessera::store_rows(
    problem, dynamic_cast<const tessera::RowOperator<double> &>(A).matrix());
}

/// Waits for a device, so that times are those of what was started.
inline void
wait_for(const tessera::Backend backend)
{
  if (backend == tessera::Backend::cuda)
    tessera::runtime::synchronize({});
}
