#pragma once

#include <tessera/base/launch.h>

#include <cstdint>

// For kernels that have a thread for every item of a list.
namespace tessera
{
  /// Number of this thread in the grid, whose blocks have `threads`.
  template <int threads>
  TESSERA_DEVICE std::int64_t
  global_thread()
  {
    return static_cast<std::int64_t>(device::block_index()) * threads +
           device::thread_index();
  }

  /// Blocks of `threads` for `n` threads or a few more.
  template <int threads>
  Shape
  shape_of_threads(const std::int64_t n)
  {
    return {(n + threads - 1) / threads, threads};
  }
} // namespace tessera
