#include "step_control.h"

#include <tessera/program/table.h>

#include <algorithm>
#include <cmath>

using namespace tessera;

namespace
{
  /// The first one of adaptive steps, relative to the longest.
  constexpr double first_length = 1. / 64;

  /// Steps that are not longer than this are given up, relative to the longest.
  constexpr double shortest = 1e-6;

  /// After more Newton iterations than these steps do not become longer.
  constexpr int many_iterations = 6;
} // namespace


StepControl::StepControl(std::vector<double> at, const double longest,
                         const double tolerance)
  : ends(std::move(at)), longest(longest), tolerance(tolerance),
    length(tolerance > 0 ? first_length * longest : longest)
{}


double
StepControl::end_of_step(const double now) const
{
  const double little = 1e-9 * length;
  const auto next = std::upper_bound(ends.begin(), ends.end(), now + little);
  if (next == ends.end())
    return now;
  const double n = std::ceil((*next - now) / length - 1e-9);
  return n <= 1 ? *next : now + (*next - now) / n;
}


bool
StepControl::keep(const double step, const StepResult &result)
{
  if (!result.converged())
    {
      ++n_failed;
      length = step / 2;
      return false;
    }
  if (tolerance == 0)
    {
      length = std::min(2 * length, longest);
      return true;
    }
  double factor = result.error > 0 ? 0.9 * std::pow(tolerance / result.error,
                                                    1. / (result.order + 1))
                                   : 2.;
  factor        = std::clamp(factor, 0.2, 2.);
  if (result.newton_iterations > many_iterations)
    factor = std::min(factor, 1.);
  const bool good = result.error <= tolerance;
  if (!good)
    {
      ++n_rejected;
      factor = std::min(factor, 0.5);
    }
  // A step that an end made short says nothing against longer ones.
  length =
    good && factor >= 1 ? std::max(length, factor * step) : factor * step;
  length = std::min(length, longest);
  return good;
}


std::string
StepControl::failure(const double now, const StepResult &result) const
{
  if (length > shortest * longest)
    return {};
  std::string reason = result.failure;
  if (reason.empty())
    reason = result.linear.converged
               ? "The error of a step stays above 'Time/Tolerance'."
               : describe(result.linear);
  reason.pop_back();
  return reason + ", even with steps of " + program::format(length) +
         " after the time " + program::format(now) +
         "; what was computed until then is kept.";
}


double
StepControl::steps_left(const double now) const
{
  return tolerance > 0 ? (ends.back() - now) / length
                       : double(ends.end() - std::upper_bound(ends.begin(),
                                                              ends.end(), now));
}


void
StepControl::save(State &state) const
{
  state.arrays["step control"] = {length, double(n_rejected), double(n_failed)};
}


void
StepControl::restore(const State &state)
{
  const auto &values = state.array("step control", 3);
  length             = values[0];
  n_rejected         = static_cast<int>(values[1]);
  n_failed           = static_cast<int>(values[2]);
}
