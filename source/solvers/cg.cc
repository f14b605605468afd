#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/base/recording_stream.h>
#include <tessera/base/vector_operations.h>

#include <algorithm>
#include <cmath>

#include "cg_recurrence.h"
#include "true_residual.h"

namespace tessera
{
  namespace
  {
    SolveEnd
    end_of(const CGState::Status status)
    {
      switch (status)
        {
          case CGState::Status::converged:
            return SolveEnd::converged;
          case CGState::Status::stagnated:
            return SolveEnd::stagnated;
          case CGState::Status::operator_indefinite:
            return SolveEnd::operator_indefinite;
          case CGState::Status::preconditioner_indefinite:
            return SolveEnd::preconditioner_indefinite;
          case CGState::Status::not_finite:
            return SolveEnd::not_finite;
          default:
            return SolveEnd::iteration_limit;
        }
    }

    void
    set_end(CGResult &result, const SolveEnd end)
    {
      result.end         = end;
      result.converged   = end == SolveEnd::converged;
      result.interrupted = end == SolveEnd::interrupted;
    }

    void
    set_state(CGResult &result, const CGState &state)
    {
      set_end(result, end_of(state.status));
      result.iterations = state.iterations;
      result.residual   = std::sqrt(state.r_dot_r);
    }

    template <class Number>
    CGStart
    start_of(const CGControl &control, const int iterations = 0)
    {
      return {control.relative_tolerance * control.relative_tolerance,
              control.absolute_tolerance * control.absolute_tolerance,
              control.max_iterations,
              control.norm == StoppingNorm::preconditioned_residual,
              is_scaled(control.norm),
              iterations,
              cg_floor<Number>()};
    }

    /// Returns true if the least residual of the last n iterations is more than
    /// half of the least of the n before.
    bool
    stands_still(const std::vector<double> &residuals, const int n)
    {
      const auto end = residuals.end();
      return residuals.size() > 2 * std::size_t(n) &&
             2 * *std::min_element(end - n, end) >
               *std::min_element(end - 2 * n, end - n);
    }

    /// Returns how many more iterations the solve takes if the residual goes on
    /// to fall as in the mean so far; 0 if nothing is known.
    double
    expected_iterations(const CGResult &result, const CGState &state,
                        const double tolerance)
    {
      const double now =
        std::sqrt(state.preconditioned ? state.r_dot_z : state.r_dot_r);
      const double done = std::log(result.initial_residual / result.residual);
      const double left = std::log(now / tolerance);
      return done > 0 && left > 0 ? result.iterations * left / done : 0.;
    }
  } // namespace

  template <class Number>
  CGControl
  relative_to_right_hand_side(CGControl control, const Operator<Number> &A,
                              const Preconditioner<Number> &preconditioner,
                              const Vector<Number> &b)
  {
    if (control.norm != StoppingNorm::preconditioned_residual)
      return control;
    Vector<Number> z(b.backend(), b.n_owned(), b.n_tail());
    preconditioner.apply(z, b, {});
    const double square = VectorOperations<Number>(b.backend(), b.n_owned(),
                                                   *A.parts().communicator())
                            .dot(b, z);
    control.absolute_tolerance =
      std::max(control.absolute_tolerance,
               control.relative_tolerance * std::sqrt(square));
    control.relative_tolerance = 0;
    return control;
  }

  template <class Number>
  CG<Number>::CG(const Operator<Number> &A,
                 const Preconditioner<Number> &preconditioner,
                 const std::string &method)
    : A(A), preconditioner(preconditioner),
      can_be_recorded(A.parts().communicator()->can_be_recorded()),
      recurrence(
        cg_method_descriptor(method).maker<Number>().make(A, preconditioner))
  {
    A.require_symmetry("Conjugate gradients");
  }

  template <class Number>
  CG<Number>::~CG() = default;

  template <class Number>
  void
  CG<Number>::start(Vector<Number> &x, const Vector<Number> &b,
                    const CGControl &control, const Stream stream)
  {
    recurrence->start(x, b.data(), start_of<Number>(control), stream);
  }

  template <class Number>
  void
  CG<Number>::iterate(Vector<Number> &x, const Stream stream)
  {
    recurrence->iterate(x.data(), 1, stream);
  }

  template <class Number>
  void
  CG<Number>::finish(Vector<Number> &x, const Stream stream)
  {
    recurrence->finish(x.data(), stream);
  }

  template <class Number>
  std::uint64_t
  CG<Number>::vector_bytes() const
  {
    return recurrence->vector_bytes();
  }

  template <class Number>
  void
  CG<Number>::replay_iterations(Vector<Number> &x, const int n,
                                const Stream stream)
  {
    Number *const entries = x.data();
    if (A.backend() == Backend::host)
      return recurrence->iterate(entries, n, stream);
    if (graph_x != entries || graph_revision != A.revision())
      graphs.clear();
    graph_x        = entries;
    graph_revision = A.revision();
    auto &graph    = graphs[n];
    if (!graph)
      {
        const runtime::RecordingStream recording;
        graph = std::make_unique<const runtime::Graph>(
          recording.stream, [this, entries, n, on = recording.stream]() {
            recurrence->iterate(entries, n, on);
          });
      }
    graph->replay(stream);
  }

  template <class Number>
  CGState
  CG<Number>::read_state(const Stream stream) const
  {
    return read(recurrence->state, stream)[0];
  }

  template <class Number>
  CGResult
  CG<Number>::state(const Stream stream) const
  {
    const CGState state = read_state(stream);
    CGResult result;
    set_state(result, state);
    result.initial_residual = std::sqrt(state.initial_r_dot_r);
    return result;
  }

  template <class Number>
  void
  CG<Number>::read_history(CGResult &result, const bool ended,
                           const Stream stream) const
  {
    // While single_reduction runs, the last residual is not known yet.
    const std::size_t last = result.iterations + (ended ? 1 : 0);
    if (result.history.size() >= last)
      return;
    const std::vector<double> squares = read(recurrence->history, stream);
    while (result.history.size() < last)
      result.history.push_back(
        std::sqrt(squares[result.history.size() & (cg_history - 1)]));
  }

  template <class Number>
  CGResult
  CG<Number>::solve(Vector<Number> &x, const Vector<Number> &b,
                    const CGControl &control, const Stream stream)
  {
    const VectorOperations<Number> on(A.backend(), A.n_owned());
    const bool of_true      = is_true(control.norm);
    const Patience patience = preconditioner.patience();
    TrueResidual last; // of `best`

    start(x, b, control, stream);
    CGState state          = read_state(stream);
    const double tolerance = std::sqrt(state.tolerance_squared);
    CGResult result;
    result.initial_residual = std::sqrt(state.initial_r_dot_r);
    for (;; state = read_state(stream))
      {
        set_state(result, state);
        const bool runs  = state.status == CGState::Status::running;
        const bool go_on = !control.progress ||
                           control.progress(result.iterations, result.residual);
        bool stands = false;
        if (patience.iterations > 0 && runs &&
            result.iterations > 2 * patience.iterations)
          {
            read_history(result, false, stream);
            stands = stands_still(result.history, patience.iterations);
          }
        if (runs && go_on && !stands)
          {
            const int n = recurrence->between_looks(
              control.check_every, result.iterations,
              expected_iterations(result, state, tolerance));
            // Before the backend overwrites what was not read.
            if (result.iterations + n >=
                static_cast<int>(result.history.size()) + cg_history)
              read_history(result, false, stream);
            if (control.graph && can_be_recorded)
              replay_iterations(x, n, stream);
            else
              recurrence->iterate(x.data(), n, stream);
            continue;
          }
        read_history(result, !runs, stream);
        finish(x, stream);
        TrueResidual is;
        if (control.verify || of_true || !result.converged)
          is = true_residual(*recurrence, x, b, state, control, stream);
        if (!go_on)
          set_end(result, SolveEnd::interrupted);
        else if (stands)
          {
            set_end(result, SolveEnd::no_progress);
            result.reason = preconditioner.name() + " makes no progress: " +
                            counted(patience.iterations, "iteration") +
                            " did not halve the residual";
            result.advice = patience.advice;
          }
        // While single_reduction runs, its last residual is not known.
        while (result.history.size() <= std::size_t(result.iterations))
          result.history.push_back(result.residual = is.r);
        const bool verifies =
          of_true ? result.converged || result.end == SolveEnd::stagnated
                  : result.converged && control.verify && counts_scaled(state);
        if (verifies && !is.is_small && is.measure < last.measure / 2)
          {
            // What the recurrence takes for convergence is not.
            last = is;
            if (best.size() == 0)
              best = A.make_vector();
            on.combine(Number(1), x, Number(0), best, stream);
            ++result.replacements;
            recurrence->start(x, b.data(),
                              start_of<Number>(control, result.iterations),
                              stream);
            continue;
          }
        if (verifies)
          set_end(result,
                  is.is_small ? SolveEnd::converged : SolveEnd::stagnated);
        if (result.replacements > 0 && !(is.measure <= last.measure))
          {
            on.combine(Number(1), best, Number(0), x, stream);
            is = last;
          }
        result.true_residual   = is.r;
        result.scaled_residual = is.scaled;
        return result;
      }
  }

#define INSTANTIATE(Number)                                              \
  template class CG<Number>;                                             \
  template CGControl relative_to_right_hand_side(                        \
    CGControl, const Operator<Number> &, const Preconditioner<Number> &, \
    const Vector<Number> &);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
