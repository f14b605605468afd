#pragma once

#include <tessera/base/counted.h>
#include <tessera/solvers/cg.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "residual_trend.h"

namespace tessera
{
  /// The first iterations of a solve, n at most. They end after a quarter of
  /// them if the residual, falling as it did in the mean, would need more than
  /// 4 n.
  class SolveTrial
  {
  public:
    SolveTrial(const CGControl &of_solve, const int n, const double norm_of_b)
      : of_solve(of_solve), n(n), trend(this->of_solve, norm_of_b)
    {}

    SolveTrial(const SolveTrial &) = delete;
    SolveTrial &
    operator=(const SolveTrial &) = delete;

    /// Returns what controls the first iterations. This object must outlive it.
    CGControl
    control()
    {
      CGControl result      = of_solve;
      result.max_iterations = n;
      result.progress = [this](const int iteration, const double residual) {
        if (of_solve.progress && !of_solve.progress(iteration, residual))
          return false;
        expected = trend.expected_iterations(iteration, residual);
        gives_up =
          std::isfinite(residual) && 4 * iteration >= n && expected > 4. * n;
        return !gives_up;
      };
      return result;
    }

    /// True if the first iterations ended without a solution, for no other
    /// reason than their number.
    bool
    is_too_slow(const CGResult &tried) const
    {
      return !tried.converged &&
             (gives_up || tried.end == SolveEnd::iteration_limit);
    }

    /// Says how far the first iterations came: "has not converged in ...".
    std::string
    text(const CGResult &tried) const
    {
      return "has not converged in " + counted(tried.iterations, "iteration") +
             (std::isfinite(expected) && expected > tried.iterations
                ? " and would take about " +
                    counted(std::lround(expected), "iteration")
                : "");
    }

    /// Returns what controls the iterations that follow.
    CGControl
    rest(const CGResult &tried) const
    {
      CGControl result = of_solve;
      result.max_iterations =
        std::max(0, of_solve.max_iterations - tried.iterations);
      if (of_solve.progress)
        result.progress = [this, begin = tried.iterations](const int iteration,
                                                           const double norm) {
          return of_solve.progress(begin + iteration, norm);
        };
      return result;
    }

    /// Returns the result of both.
    static CGResult
    joined(const CGResult &tried, CGResult rest)
    {
      rest.iterations += tried.iterations;
      rest.initial_residual = tried.initial_residual;
      rest.history.insert(rest.history.begin(), tried.history.begin(),
                          tried.history.end() - (rest.history.empty() ? 0 : 1));
      return rest;
    }

  private:
    const CGControl of_solve;
    const int n;
    ResidualTrend trend;
    double expected = 0; ///< iterations
    bool gives_up   = false;
  };
} // namespace tessera
