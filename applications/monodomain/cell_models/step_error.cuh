#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// The sums of d^2 and d^4 of differences d = x - y.
  template <class Number>
  struct SumDifferences : Pass
  {
    static constexpr int n_sums = 2;
    const Number *x, *y;

    TESSERA_HOST_DEVICE void
    operator()(std::int64_t, const Scalars &) const
    {}

    TESSERA_HOST_DEVICE double
    share(const int k, const std::int64_t i) const
    {
      const double d = double(x[i]) - double(y[i]), square = d * d;
      return k == 0 ? square : square * square;
    }
  };
} // namespace tessera
