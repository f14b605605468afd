#pragma once

#include <tessera/base/array.h>

namespace tessera::algorithms
{
  /// Computes `ordered_sum` repeatedly, without allocations and without waiting
  /// for the device.
  class OrderedSum
  {
  public:
    /// For arrays of at most n values in the memory of the backend.
    OrderedSum(Backend backend, std::int64_t n);

    /// Sets *result, in the memory of the backend, to the sum of n values.
    void
    operator()(const double *values, std::int64_t n, double *result);

  private:
    Array<double> sums, sums_of_sums;
  };
} // namespace tessera::algorithms
