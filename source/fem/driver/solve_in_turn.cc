#include <tessera/base/vector_operations.h>
#include <tessera/fem/driver/linear_system.h>
#include <tessera/preconditioners/mixed_precision.h>
#include <tessera/solvers/defect_correction.h>

#include <cmath>
#include <utility>

#include "solve_trial.h"

// The solves of a case, by one preconditioner after the other where the program
// chooses them.
namespace tessera
{
  namespace
  {
    /// True if a solve ended because of its preconditioner.
    bool
    blames_preconditioner(const CGResult &result)
    {
      return result.end == SolveEnd::preconditioner_indefinite ||
             result.end == SolveEnd::no_progress;
    }

    template <class Number>
    double
    norm(const Vector<Number> &b, const Operator<Number> &A)
    {
      return std::sqrt(VectorOperations<Number>(b.backend(), b.n_owned(),
                                                *A.parts().communicator())
                         .dot(b, b));
    }

    /// Puts what a preconditioner says of itself, such as another name than it
    /// was asked for by, into the record.
    template <class Number>
    void
    show_parameters(program::Case &entry, const Preconditioner<Number> &M)
    {
      for (const auto &[name, value] : M.parameters())
        entry.parameters[name] = value;
    }
  } // namespace


  /// Solves by what the parameters say, with the operators and preconditioners
  /// that this needs.
  template <class Number>
  CGResult
  LinearSystem<Number>::run_solver(Vector<Number> &x, const Vector<Number> &b,
                                   const CGControl &control,
                                   const std::function<void()> &ready)
  {
    if (!this_case.solver.is_mixed())
      return solve_in_turn(x, b, control, ready);
    const CGResult result  = solve_mixed(x, b, control, false, ready);
    const std::string name = this_case.preconditioner.name;
    if (!blames_preconditioner(result) ||
        this_case.solver.preconditioner != auto_preconditioner ||
        name == diagonal_preconditioner())
      return result;
    this_case.take_preconditioner(
      {diagonal_preconditioner(), name + " failed: " + describe(result)});
    SolveTrial trial(control, result.iterations, norm(b, *A));
    return trial.joined(result,
                        solve_mixed(x, b, trial.rest(result), true, []() {}));
  }


  template <class Number>
  CGResult
  LinearSystem<Number>::solve_mixed(Vector<Number> &x, const Vector<Number> &b,
                                    const CGControl &control,
                                    const bool continues,
                                    const std::function<void()> &ready)
  {
    if constexpr (std::is_same_v<Number, double>)
      {
        program::Case &entry = this_case.entry;
        auto inner           = make_inner_operator();
        note_step("inner_operator");
        auto M = make_preconditioner(*inner);
        note_step("preconditioner");
        entry.parameters["mixed_precision"] = to_string(this_case.solver.mixed);
        entry.parameters["inner_operator"]  = inner->name();
        if (this_case.solver.mixed == FloatPart::preconditioner)
          return solve_with(MixedPrecision(std::move(inner), std::move(M)), x,
                            b, control, continues, ready);
        show_parameters(entry, *M);
        const std::string method   = this_case.method_for(*inner, *M);
        entry.parameters["method"] = method;
        DefectCorrection solver(*A, *inner, *M, method);
        ready();
        return solver.solve(x, b, control);
      }
    throw std::logic_error("LinearSystem: mixed precision in float");
  }


  template <class Number>
  CGResult
  LinearSystem<Number>::solve_with(const Preconditioner<Number> &M,
                                   Vector<Number> &x, const Vector<Number> &b,
                                   const CGControl &control,
                                   const bool continues,
                                   const std::function<void()> &ready)
  {
    const std::string method = this_case.method_for(*A, M);
    CG<Number> cg(*A, M, method);
    this_case.entry.parameters["method"] = method;
    show_parameters(this_case.entry, M);
    if (M.n_colors() > 0)
      this_case.entry.problem.colors = M.n_colors();
    ready();
    const bool from_zero = this_case.start.empty() && !continues;
    bool has_start       = from_zero && M.set_start(x, b, {});
    if (has_start && !std::isfinite(norm(x, *A)))
      {
        x.zero();
        has_start = false;
      }
    return cg.solve(x, b,
                    from_zero && !has_start
                      ? control
                      : relative_to_right_hand_side(control, *A, M, b));
  }


  template <class Number>
  CGResult
  LinearSystem<Number>::solve_in_turn(Vector<Number> &x,
                                      const Vector<Number> &b,
                                      const CGControl &control,
                                      const std::function<void()> &ready)
  {
    const auto first = make_preconditioner(*A);
    note_step("preconditioner");
    const PreconditionerChoice chosen = this_case.preconditioner;
    if (chosen.next.empty() || chosen.iterations < 1)
      return solve_with(*first, x, b, control, false, ready);
    SolveTrial trial(control, chosen.iterations, norm(b, *A));
    const CGResult tried =
      solve_with(*first, x, b, trial.control(), false, ready);
    if (!trial.is_too_slow(tried))
      return tried;
    program::Phases &phases = this_case.entry.phases;
    phases.solve += this_case.timer.lap();
    this_case.take_preconditioner({chosen.next,
                                   chosen.name + ' ' + trial.text(tried), "", 0,
                                   chosen.options, chosen.unused});
    step.restart();
    const auto next = make_preconditioner(*A);
    note_step("preconditioner");
    phases.setup += this_case.timer.lap();
    const CGResult result = trial.joined(
      tried, solve_with(*next, x, b, trial.rest(tried), true, []() {}));
    if (!blames_preconditioner(result))
      return result;
    this_case.take_preconditioner(
      {chosen.name, chosen.next + " failed: " + describe(result)});
    return trial.joined(
      result, solve_with(*first, x, b, trial.rest(result), true, []() {}));
  }


#define INSTANTIATE(Number)                                      \
  template CGResult LinearSystem<Number>::run_solver(            \
    Vector<Number> &, const Vector<Number> &, const CGControl &, \
    const std::function<void()> &);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
