#pragma once

#include <tessera/base/device.cuh>

#include <cstdint>

// Defines how device kernels loop over the entries of vectors.
namespace tessera
{
  constexpr int vector_threads = 256;

  /// The most blocks of a vector kernel: they fill the 132 multiprocessors of
  /// an H200 with 1024 threads each, which leaves 64 registers per thread.
  constexpr std::int64_t max_vector_blocks = 132 * 4;

  /// Returns the number of blocks for `n` entries, which is at least one.
  inline int
  grid_of_entries(const std::int64_t n)
  {
    const std::int64_t needed = (n + vector_threads - 1) / vector_threads;
    return static_cast<int>(needed < 1                   ? 1
                            : needed > max_vector_blocks ? max_vector_blocks
                                                         : needed);
  }

  /// Calls `entry(i)` for all i in [0, n); one thread handles entry i.
  template <class Entry>
  TESSERA_DEVICE void
  for_each_entry(const std::int64_t n, const Entry &entry)
  {
    const std::int64_t stride =
      static_cast<std::int64_t>(device::n_blocks()) * vector_threads;
    for (std::int64_t i =
           static_cast<std::int64_t>(device::block_index()) * vector_threads +
           device::thread_index();
         i < n; i += stride)
      entry(i);
  }
} // namespace tessera
