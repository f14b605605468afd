#pragma once

#include <tessera/base/backend.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

/// These are the few calls to the device's run-time library. They are plain
/// declarations, so C++ sources need no CUDA header. There are two
/// implementations: the CUDA run time (`cuda_runtime.cu`) and the fiber shim
/// (`shim_runtime.cc`), which reports no device until a test enables it. Every
/// failed call clears the sticky error and throws DeviceError with the name of
/// the call.
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

  /// Returns true in the library whose kernels g++ compiled for fibers.
  bool
  is_shim();

  /// Returns the number of usable devices, which is 0 without a driver.
  int
  n_devices();

  /// Makes the shim report one device. Has no effect in a CUDA build.
  void
  enable_shim();

  /// Makes a device the current one, on which everything else works.
  void
  set_device(int device);

  int
  current_device();

  /// Returns the name of a device, and leaves the current one as it is.
  std::string
  device_name(int device);

  /// Returns the properties of a device. The free memory belongs to the current
  /// device.
  DeviceProperties
  properties(int device);

  void *
  allocate(std::size_t bytes);

  void
  deallocate(void *pointer) noexcept;

  /// Copies in the default stream, after earlier work there and in streams that
  /// it waits for, and returns when the values have arrived.
  void
  copy(void *to, const void *from, std::size_t bytes, Copy kind);

  void
  copy_async(void *to, const void *from, std::size_t bytes, Copy kind, Stream);

  /// Sets every byte to `byte`.
  void
  fill_async(void *pointer, unsigned char byte, std::size_t bytes,
             Stream stream);

  void
  /// Waits for all work in the stream.
  synchronize(Stream stream);

  /// Creates a stream; it and the default stream wait for each other's work.
  Stream
  create_stream();

  void
  destroy_stream(Stream stream) noexcept;

  /// Returns the time in seconds that `work` takes in the stream, measured with
  /// device events. Waits until the work is done.
  double
  elapsed(Stream stream, const std::function<void()> &work);

  /// A sequence of launches that was recorded once and can be replayed as a
  /// whole, with less overhead than the single launches.
  class Graph
  {
  public:
    /// Records what `work` issues into `stream`, which must not be the default
    /// stream. Throws DeviceError if `work` allocates, synchronises or uses
    /// another stream. The shim records nothing and calls `work` in each
    /// `replay`.
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
