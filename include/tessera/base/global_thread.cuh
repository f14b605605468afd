#pragma once

#include <tessera/base/launch.h>

#include <cstdint>

// These helpers serve kernels with one thread per item of a list.
namespace tessera
{
  /// Returns the index of this thread in a grid whose blocks have `threads`
  /// threads.
  template <int threads>
  TESSERA_DEVICE std::int64_t
  global_thread()
  {
    return static_cast<std::int64_t>(device::block_index()) * threads +
           device::thread_index();
  }

  /// Returns the smallest grid of blocks of `threads` threads that has at least
  /// `n` threads in total.
  template <int threads>
  Shape
  shape_of_threads(const std::int64_t n)
  {
    return {(n + threads - 1) / threads, threads};
  }
} // namespace tessera
