#pragma once

#include <tessera/base/runtime.h>
#include <tessera/base/vector.h>
#include <tessera/fem/output/checkpoint.h>
#include <tessera/solvers/solve_result.h>

#include <string>

/// How a step in time ended.
struct StepResult
{
  /// The last linear solve, with the iterations of all of them.
  tessera::CGResult linear;
  int newton_iterations = 0;
  /// An estimate of the contribution of the step to the error of the potential,
  /// in its unit, proportional to step^(order + 1); 0 if there is none.
  double error = 0;
  int order    = 1;
  /// One sentence if the step failed for another reason than the linear
  /// solve.
  std::string failure = {};

  bool
  converged() const
  {
    return linear.converged && failure.empty();
  }
};

/// A way to go through time for dV/dt = div(D grad V) + f(V, r),
/// dr/dt = g(V, r). It owns the states r of the cells.
class TimeScheme
{
public:
  using Vector = tessera::Vector<double>;

  virtual ~TimeScheme() = default;

  /// Sets up the data for steps of that length.
  virtual void
  prepare(double step) = 0;

  /// Takes a step with a stimulus, [n_nodes] or null. If it did not converge,
  /// the potential is of no use.
  virtual StepResult
  advance(Vector &potential, const double *stimulus, double step) = 0;

  /// True if a step may be taken again, with the potential before it, until it
  /// is accepted.
  virtual bool
  may_repeat() const
  {
    return false;
  }

  /// Makes the step that was taken part of the past.
  virtual void
  accept(double /*step*/)
  {}

  /// Declares that the derivative of the potential jumps here, as where a
  /// stimulus begins or ends: earlier steps say nothing about later ones.
  virtual void
  forget()
  {}

  /// Waits until all steps are done. Throws NotConverged if one of them made
  /// the potential infinite or not a number and did not say so. For all
  /// processes together.
  virtual void
  finish() const
  {}

  /// Adds the data for the next step, besides the potential, to the state of a
  /// computation. Throws what `finish` throws.
  virtual void
  save(tessera::State &state) const = 0;

  /// Goes on from a state. Throws ParameterError if it does not fit.
  virtual void
  restore(const tessera::State &state) = 0;

  /// Merges the record values of the scheme, with the seconds of its parts,
  /// into the parameters of the case.
  virtual void
  record() const = 0;
};

/// Waits for a device, so that times count what was started.
inline void
wait_for(const tessera::Backend backend)
{
  if (backend == tessera::Backend::cuda)
    tessera::runtime::synchronize({});
}
