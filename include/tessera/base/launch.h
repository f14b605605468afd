#pragma once

#include <tessera/base/backend.h>
#include <tessera/base/device.cuh>
#include <tessera/base/launch_log.h>

#include <cstdint>

namespace tessera
{
  /// Blocks of a grid and threads of a block, one-dimensional.
  struct Shape
  {
    std::int64_t n_blocks;
    int n_threads;
  };

  namespace internal
  {
    /// Throws DeviceError where the last launch failed or `shape` is too
    /// large; clears the sticky error.
    void
    check_launch(Shape shape);
  } // namespace internal

  /// Issues a kernel into a stream; an empty grid is not launched.
  template <class... Parameters, class... Arguments>
  void
  launch(void (*kernel)(Parameters...), const Shape shape, const Stream stream,
         const Arguments &...arguments)
  {
    if (shape.n_blocks == 0)
      return;
    runtime::note_launch(reinterpret_cast<const void *>(kernel), shape.n_blocks,
                         shape.n_threads);
#ifdef __CUDACC__
    kernel<<<static_cast<unsigned int>(shape.n_blocks), shape.n_threads, 0,
             static_cast<cudaStream_t>(stream.handle)>>>(arguments...);
    internal::check_launch(shape);
#else
    (void)stream;
    shim::run(static_cast<int>(shape.n_blocks), shape.n_threads,
              [&]() { kernel(arguments...); });
#endif
  }
} // namespace tessera
