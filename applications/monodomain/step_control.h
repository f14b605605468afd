#pragma once

#include "time_scheme.h"

#include <string>
#include <vector>

/// Says how long the next step is: steps end at given times, are at most as
/// long as was asked for, and become shorter where Newton's method fails or,
/// with a tolerance, where the estimated error of a step exceeds it.
class StepControl
{
public:
  /// Steps end at all of `ends`, increasing. With the tolerance 0 they have
  /// the lengths between them, unless one fails.
  StepControl(std::vector<double> ends, double longest, double tolerance);

  /// Returns when the step that begins `now` ends, or `now` if that was the
  /// last one. What is left to the next given time is divided into equal steps.
  double
  end_of_step(double now) const;

  /// Judges a step that was taken, and chooses the length of the next one. A
  /// step that did not converge is halved. With a tolerance, steps become
  /// 0.9 (tolerance / error)^(1 / (order + 1)) times as long, but between a
  /// fifth and twice as long, and not longer after many Newton iterations.
  /// Returns false if the step must be taken again.
  bool
  keep(double step, const StepResult &result);

  /// Returns why there is no shorter step, in one sentence, or nothing as long
  /// as they are longer than 10^-6 of the longest one.
  std::string
  failure(double now, const StepResult &result) const;

  /// Returns an estimate of the number of steps that are left.
  double
  steps_left(double now) const;

  int n_rejected = 0; ///< steps with too large an error
  int n_failed   = 0; ///< steps that did not converge

  void
  save(tessera::State &state) const;

  void
  restore(const tessera::State &state);

private:
  const std::vector<double> ends;
  const double longest, tolerance;
  double length; ///< of the next step
};
