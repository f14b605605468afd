#pragma once

#include <tessera/solvers/cg.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera
{
  /// How long a solve takes if its residual goes on to fall as it fell so far
  /// in the mean.
  class ResidualTrend
  {
  public:
    /// Residuals are measured by |b|, or by the first one where they are those
    /// of a preconditioner.
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
} // namespace tessera
