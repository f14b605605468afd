#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera
{
  /// Returns the number of bytes of host memory that can be allocated without
  /// swapping, or infinity if the system does not say.
  double
  free_host_memory();

  /// Asks the system for large pages in memory that nobody has used yet: page
  /// faults are most of what new memory costs. This is only advice; if the
  /// system refuses it, pages stay small.
  void
  ask_for_large_pages(void *memory, std::size_t bytes);

  /// Returns the largest host memory, in bytes, of this process so far.
  std::uint64_t
  host_memory_peak();
} // namespace tessera
