#pragma once

#include <cstdint>

namespace tessera
{
  /// Returns the number of bytes of host memory that can be allocated without
  /// swapping, or infinity if the system does not say.
  double
  free_host_memory();

  /// Returns the most bytes of host memory that this process had at a time.
  std::uint64_t
  host_memory_peak();
} // namespace tessera
