#pragma once

#include <tessera/base/backend.h>
#include <tessera/base/device.cuh>
#include <tessera/base/launch_log.h>

#include <cstdint>

namespace tessera
{
  /// The shape of a one-dimensional grid: the number of blocks, the number of
  /// threads per block, and the bytes of shared memory that a kernel with
  /// TESSERA_LARGE_SHARED asks for.
  struct Shape
  {
    std::int64_t n_blocks;
    int n_threads;
    int shared_bytes = 0;
  };

  namespace internal
  {
    /// Throws DeviceError, and clears the sticky error, if the last launch
    /// failed or `shape` has too many blocks.
    void
    check_launch(Shape shape);
  } // namespace internal

  /// Launches a kernel into a stream; an empty grid is not launched. The call
  /// returns before the kernel ends, except on fibers. Throws DeviceError if
  /// the launch fails.
  template <class... Parameters, class... Arguments>
  void
  launch(void (*kernel)(Parameters...), const Shape shape, const Stream stream,
         const Arguments &...arguments)
  {
    if (shape.n_blocks == 0)
      return;
    runtime::note_launch(reinterpret_cast<const void *>(kernel), shape.n_blocks,
                         shape.n_threads, shape.shared_bytes);
#ifdef __CUDACC__
    // An error of this call is the launch's error, too.
    if (shape.shared_bytes > 0)
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           shape.shared_bytes);
    kernel<<<static_cast<unsigned int>(shape.n_blocks), shape.n_threads,
             shape.shared_bytes, static_cast<cudaStream_t>(stream.handle)>>>(
      arguments...);
    internal::check_launch(shape);
#else
    (void)stream;
    shim::run(static_cast<int>(shape.n_blocks), shape.n_threads,
              [&]() { kernel(arguments...); });
#endif
  }
} // namespace tessera
