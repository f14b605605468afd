#pragma once

#include <tessera/program/table.h>
#include <tessera/program/timing.h>

#include <iostream>
#include <utility>

#include "solve_trial.h"

namespace tessera
{
  /// Prints how far a long solve is.
  class SolveProgress
  {
  public:
    /// Residuals belong to a right-hand side b that was divided by `size`.
    SolveProgress(std::string what, const CGControl &control,
                  const double norm_of_b, const double size)
      : what(std::move(what)), trend(control, norm_of_b), size(size)
    {}

    std::string
    text(const int iteration, const double residual)
    {
      std::string line = what + ": iteration " + std::to_string(iteration) +
                         ", residual " + program::format(size * residual);
      const double more =
        trend.expected_iterations(iteration, residual) - iteration;
      if (more > 0 && more < 1e9)
        line += ", about " +
                std::to_string(static_cast<long>(std::ceil(more))) +
                " more in " +
                program::format(timer.seconds() * more / iteration) + " s";
      return line;
    }

  private:
    const std::string what;
    ResidualTrend trend;
    const double size;
    program::Timer timer;
  };

  /// Says so if the recurrence has converged and the residual is a hundred
  /// times larger, and what the number type can reach.
  inline void
  say_if_inaccurate(const CGResult &result, const CGControl &control,
                    const double size_of_b, const std::string &number)
  {
    const double tolerance = std::max(control.relative_tolerance * size_of_b,
                                      control.absolute_tolerance);
    if (result.converged &&
        (control.norm == StoppingNorm::residual ||
         control.norm == StoppingNorm::scaled_residual) &&
        result.true_residual > 100 * tolerance)
      std::cerr << "note: the residual computed anew from the solution is "
                << program::format(result.true_residual / size_of_b)
                << " of the right-hand side, but the recurrence's "
                << program::format(result.residual / size_of_b)
                << ": rounding in " << number << " reaches about the former. "
                << (number == "float"
                      ? "'Operator/Number' = double has more digits."
                    : is_scaled(control.norm)
                      ? "'Solver/Stopping norm' = true_scaled_residual "
                        "goes on."
                      : "'Solver/Stopping norm' = true_residual goes on.")
                << std::endl;
  }
} // namespace tessera
