#pragma once

#include <tessera/base/runtime.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cg_recurrence.h"

// The residual of a solution that the recurrence has found, computed anew.
namespace tessera
{
  template <class T>
  std::vector<T>
  read(const Array<T> &values, const Stream stream)
  {
    std::vector<T> result(values.size());
    if (values.backend() == Backend::host)
      std::copy_n(values.data(), values.size(), result.begin());
    else
      {
        runtime::copy_async(result.data(), values.data(), values.bytes(),
                            runtime::Copy::device_to_host, stream);
        runtime::synchronize(stream);
      }
    return result;
  }

  /// True if the scaled norm has a tolerance.
  inline bool
  counts_scaled(const CGState &state)
  {
    return state.scaled_tolerance_squared < DBL_MAX;
  }

  /// The residual of x, computed anew.
  struct TrueResidual
  {
    double r = std::numeric_limits<double>::quiet_NaN(); ///< |r|
    /// |D^-1 r| / |D^-1 b|, if it counts.
    double scaled = std::numeric_limits<double>::quiet_NaN();
    /// What decreases if x becomes better, and whether that is enough.
    double measure = std::numeric_limits<double>::infinity();
    bool is_small  = false;
  };

  /// Computes the residual of x. By a norm of the recurrence, whose residual
  /// is below the tolerances, it is small up to a hundred times these or up to
  /// rounding: a residual that the number type cannot resolve is then
  /// converged, and one that is large where the recurrence does not see it is
  /// not.
  template <class Number>
  TrueResidual
  true_residual(CGRecurrence<Number> &recurrence, const Vector<Number> &x,
                const Vector<Number> &b, const CGState &state,
                const CGControl &control, const Stream stream)
  {
    recurrence.true_residual(x, b.data(), stream);
    const std::vector<double> sums = read(recurrence.sums, stream);
    const double tolerance         = std::sqrt(state.tolerance_squared);
    TrueResidual is;
    is.measure = is.r = std::sqrt(sums[sum_r_r]);
    is.is_small       = is.r <= tolerance * (1 + 1e-14);
    if (!counts_scaled(state))
      return is;
    const double scaled    = std::sqrt(sums[sum_r_scaled]);
    const double of_scaled = scaled / std::sqrt(state.scaled_tolerance_squared);
    is.scaled              = of_scaled * control.relative_tolerance;
    if (is_true(control.norm))
      {
        is.measure  = std::max(is.r / tolerance, of_scaled);
        is.is_small = is.measure <= 1 + 1e-14;
        return is;
      }
    const double rounding = std::numeric_limits<Number>::epsilon() *
                            std::sqrt(sums[sum_r_z]) *
                            recurrence.scaling().factor;
    is.measure  = of_scaled;
    is.is_small = of_scaled <= 100 || scaled <= 100 * rounding;
    return is;
  }
} // namespace tessera
