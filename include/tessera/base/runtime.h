#pragma once

#include <tessera/base/backend.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

/// The few calls to a device's run-time library, behind plain declarations so
/// that C++ sources need no CUDA header. Implemented twice: by the CUDA run
/// time (`cuda_runtime.cu`) and by the fiber shim (`shim_runtime.cc`), which
/// reports no device until a test enables it. Every failure throws DeviceError
/// naming the call, and clears the sticky error.
namespace tessera::runtime
{
  enum class Copy
  {
    host_to_device,
    device_to_host,
    device_to_device
  };

  struct DeviceProperties
  {
    std::string name;
    int sm_count               = 0;
    std::uint64_t memory_bytes = 0;
    std::uint64_t free_bytes   = 0;
    std::uint64_t l2_bytes     = 0;
    std::string driver;
    std::string architecture;
  };

  /// True in the library whose kernels g++ compiled for fibers.
  bool
  is_shim();

  /// Number of usable devices; 0 where there is no driver.
  int
  n_devices();

  /// Lets the shim report one device. No effect on a CUDA build.
  void
  enable_shim();

  void
  set_device(int device);

  DeviceProperties
  properties(int device);

  void *
  allocate(std::size_t bytes);

  void
  deallocate(void *pointer) noexcept;

  /// Blocks until done when an end is pageable host memory, as all of ours is.
  void
  copy(void *to, const void *from, std::size_t bytes, Copy kind);

  void
  copy_async(void *to, const void *from, std::size_t bytes, Copy kind, Stream);

  /// Sets every byte.
  void
  fill_async(void *pointer, unsigned char byte, std::size_t bytes,
             Stream stream);

  void
  synchronize(Stream stream);

  Stream
  create_stream();

  void
  destroy_stream(Stream stream) noexcept;

  /// Seconds between two points of a stream, from device events.
  double
  elapsed(Stream stream, const std::function<void()> &work);

  /// Work that was recorded once and is replayed as a whole.
  class Graph
  {
  public:
    /// Records what `work` issues into `stream`. Throws DeviceError where
    /// `work` allocates, synchronises or uses another stream. The shim runs
    /// `work` at each `replay` instead.
    Graph(Stream stream, std::function<void()> work);
    ~Graph();
    Graph(const Graph &) = delete;
    Graph &
    operator=(const Graph &) = delete;

    void
    replay(Stream stream) const;

  private:
    void *handle = nullptr;
    std::function<void()> work;
  };
} // namespace tessera::runtime
