#pragma once

#include <tessera/base/counted.h>
#include <tessera/solvers/cg.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace tessera
{
  /// How long a solve takes if its residual goes on to fall as it fell so far
  /// in the mean.
  class ResidualTrend
  {
  public:
    /// Residuals are measured by |b|, or by the first one where the solver
    /// measures preconditioned ones.
    ResidualTrend(const CGControl &control, const double norm_of_b)
      : control(control), norm_of_b(norm_of_b)
    {}

    /// Returns the expected iterations of the whole solve, to which the
    /// residual after iteration 0 belongs; infinity if it does not fall.
    double
    expected_iterations(const int iteration, const double residual)
    {
      if (iteration == 0)
        first = residual;
      const double scale = control.norm == StoppingNorm::preconditioned_residual
                             ? first
                             : norm_of_b;
      const double tolerance = std::max(control.relative_tolerance * scale,
                                        control.absolute_tolerance);
      const double done      = std::log(first / residual);
      const double left      = std::log(residual / tolerance);
      return done > 0 ? iteration * (1 + std::max(left, 0.) / done)
                      : std::numeric_limits<double>::infinity();
    }

  private:
    const CGControl &control;
    const double norm_of_b;
    double first = 0;
  };


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
