#pragma once

#include <tessera/base/first_at_least.h>
#include <tessera/base/for_each.h>

namespace tessera::algorithms
{
  /// The neighbours whose sum `ordered_sum` takes first.
  constexpr int neighbours = 64;

  /// Sets sums[i] to the sum of 64 sums of 64 neighbours each, for n values in
  /// the memory of the device. Reads 8 bytes a value.
  void
  sum_neighbours(const double *values, std::int64_t n, double *sums);

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
      start[g] = first_at_least(keys, n, static_cast<std::uint32_t>(g));
    }
  };
} // namespace tessera::algorithms
