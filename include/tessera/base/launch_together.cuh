#pragma once

#include <tessera/base/launch.h>

// Kernels whose blocks are all on the device at the same time, so that they can
// wait for each other.
#if !defined(__CUDACC__)
#  include <tessera/base/shim_together.h>
#endif

namespace tessera
{
  namespace device
  {
    /// Waits until all threads of all blocks are here; their earlier writes to
    /// global memory are then visible to all. `counter` is 0 at the start of
    /// the kernel and has no other use. For kernels of `launch_together`.
    TESSERA_DEVICE void
    grid_barrier([[maybe_unused]] unsigned int *counter)
    {
#ifdef __CUDACC__
      barrier();
      if (thread_index() == 0)
        {
          fence();
          const unsigned int blocks = n_blocks();
          const unsigned int goal =
            (atomic_increment(counter) / blocks + 1) * blocks;
          while (*static_cast<volatile unsigned int *>(counter) < goal)
            {}
          fence();
        }
      barrier();
#else
      shim::wait_for_all_blocks();
#endif
    }
  } // namespace device

  /// Returns the number of multiprocessors of the device in use.
  inline int
  n_multiprocessors()
  {
#ifdef __CUDACC__
    int device = 0, count = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
    return count;
#else
    return 1;
#endif
  }

  /// Does the same as `launch` for a grid that fits on the device as a whole.
  /// Throws DeviceError if it does not. The arguments have the types of the
  /// parameters.
  template <class... Parameters>
  void
  launch_together(void (*kernel)(Parameters...), const Shape shape,
                  const Stream stream,
                  const std::remove_const_t<Parameters> &...arguments)
  {
    runtime::note_launch(reinterpret_cast<const void *>(kernel), shape.n_blocks,
                         shape.n_threads);
#ifdef __CUDACC__
    void *pointers[] = {
      const_cast<void *>(static_cast<const void *>(&arguments))...};
    cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(kernel),
                                static_cast<unsigned int>(shape.n_blocks),
                                shape.n_threads, pointers, 0,
                                static_cast<cudaStream_t>(stream.handle));
    internal::check_launch(shape);
#else
    (void)stream;
    shim::run_together(static_cast<int>(shape.n_blocks), shape.n_threads,
                       [&]() { kernel(arguments...); });
#endif
  }
} // namespace tessera
