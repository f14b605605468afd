#pragma once

#include "time_scheme.h"

#include <tessera/program/program.h>
#include <tessera/program/table.h>

#include <cmath>
#include <string>

/// Prints how far a run is.
class Progress
{
public:
  /// The unit of time is 1 if it has no name.
  Progress(std::string label, const std::string &unit, const double end)
    : label(std::move(label)), unit(unit == "1" ? "" : ' ' + unit), end(end)
  {}

  void
  show(const double time, const std::size_t step, const double n_left,
       const std::size_t n_done, const StepResult &last)
  {
    if (pause.seconds() < 0.2)
      return;
    pause.restart();
    const std::string newton =
      last.newton_iterations > 0
        ? std::to_string(last.newton_iterations) + " Newton and "
        : "";
    tessera::program::progress(
      label + ": time " + tessera::program::format(time, 4) + " of " +
        tessera::program::format(end, 4) + unit + ", step " +
        std::to_string(step) + " of " +
        std::to_string(step + std::llround(n_left)) + ", " + newton +
        std::to_string(last.linear.iterations) + " CG iterations, about " +
        tessera::program::format(total.seconds() * n_left / n_done) + " s left",
      false);
  }

private:
  std::string label, unit;
  double end;
  tessera::program::Timer total, pause;
};
