#pragma once

#include <cstdint>
#include <vector>

namespace tessera::algorithms
{
  /// Returns the positions of the keys in ascending order; equal keys keep
  /// their order. All threads of the host sort.
  std::vector<int>
  sorted_positions(const std::vector<std::uint64_t> &keys);
} // namespace tessera::algorithms
