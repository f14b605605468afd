#pragma once

#include <tessera/base/for_each.h>

namespace tessera::algorithms
{
  /// sums[i] is the sum of the i-th `width` neighbours. Reads 8 bytes a value.
  struct SumOfNeighbours
  {
    static constexpr int width = 64;
    const double *values;
    double *sums;
    std::int64_t n;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const std::int64_t last = (i + 1) * width < n ? (i + 1) * width : n;
      double sum              = 0;
      for (std::int64_t k = i * width; k < last; ++k)
        sum += values[k];
      sums[i] = sum;
    }
  };

  struct Numbering
  {
    int *items;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      items[i] = static_cast<int>(i);
    }
  };

  /// start[g] is the first place of sorted keys that are g or greater.
  struct StartOfGroup
  {
    const std::uint32_t *keys;
    std::int64_t n;
    std::int64_t *start;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t g) const
    {
      std::int64_t first = 0, last = n;
      while (first < last)
        {
          const std::int64_t middle = (first + last) / 2;
          if (keys[middle] < static_cast<std::uint32_t>(g))
            first = middle + 1;
          else
            last = middle;
        }
      start[g] = first;
    }
  };
} // namespace tessera::algorithms
