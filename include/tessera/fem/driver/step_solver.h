#pragma once

#include <tessera/fem/driver/linear_system.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace tessera
{
  /// Conjugate gradients for the systems A x = b of time steps, with a
  /// preconditioner of A at the time when this object is made.
  class StepSolver
  {
  public:
    /// Both must outlive this object. A solve ends if `progress`, see
    /// CGControl, returns false.
    StepSolver(const SolverCase &this_case, const LinearSystem<double> &system,
               std::function<bool(int, double)> progress = {})
      : StepSolver(this_case, system.matrix(), system.make_preconditioner(),
                   std::move(progress))
    {}

    StepSolver(const SolverCase &this_case, const Operator<double> &A,
               std::unique_ptr<Preconditioner<double>> M,
               std::function<bool(int, double)> progress = {})
      : this_case(this_case), A(A), preconditioner(std::move(M)),
        method(this_case.method_for(A, *preconditioner)),
        cg(A, *preconditioner, method), progress(std::move(progress))
    {}

    /// Solves from x on, with the larger one of two absolute tolerances.
    CGResult
    solve(Vector<double> &x, const Vector<double> &b,
          const double absolute_tolerance = 0)
    {
      CGControl control = this_case.solver.control;
      // A solve takes about as many iterations as the previous one, and
      // iterations after convergence would be wasted.
      control.check_every = std::clamp(iterations, 1, 16);
      control.verify      = false;
      control.progress    = progress;
      control.absolute_tolerance =
        std::max(control.absolute_tolerance, absolute_tolerance);
      const CGResult result = cg.solve(
        x, b, relative_to_right_hand_side(control, A, *preconditioner, b));
      iterations = result.iterations;
      return result;
    }

    /// Merges the record values of operator, preconditioner and method.
    void
    describe(RecordValues &parameters) const
    {
      parameters.merge(A.layout_parameters());
      parameters.merge(A.product_parameters());
      for (const auto &[name, value] : preconditioner->parameters())
        parameters[name] = value; // its own name, too
      parameters["method"] = method;
    }

  private:
    const SolverCase &this_case;
    const Operator<double> &A;
    std::unique_ptr<Preconditioner<double>> preconditioner;
    std::string method;
    CG<double> cg;
    std::function<bool(int, double)> progress;
    int iterations = 4; ///< of the previous solve
  };
} // namespace tessera
