#pragma once

#include <tessera/base/backend.h>

#include <cstddef>
#include <cstdint>

namespace tessera
{
  /// Returns the bytes of all arrays that this process has in device memory.
  /// Other processes do not count, unlike in `DeviceProperties::free_bytes`.
  std::uint64_t
  device_memory_in_use();

  /// Returns the largest value of `device_memory_in_use` so far.
  std::uint64_t
  device_memory_peak();

  /// While an object of this class exists for a device, arrays that are freed
  /// leave their memory to later arrays, without waiting for the device. Set-up
  /// creates hundreds of arrays; allocating memory for each would take longer
  /// than its kernels. Set-up does not wait for its own arrays either. All work
  /// on arrays that are new or freed meanwhile has to be in the default stream
  /// or in streams that wait for it. The last object that ends waits for the
  /// default stream and returns the unused memory to the device.
  class ReusedDeviceMemory
  {
  public:
    explicit ReusedDeviceMemory(Backend backend);
    ~ReusedDeviceMemory();
    ReusedDeviceMemory(const ReusedDeviceMemory &) = delete;
    ReusedDeviceMemory &
    operator=(const ReusedDeviceMemory &) = delete;

  private:
    bool is_used;
  };

  namespace internal
  {
    /// Waits for the default stream of a device, where set-up fills arrays,
    /// unless `ReusedDeviceMemory` exists.
    void
    finish_arrays(Backend backend);
  } // namespace internal

  /// The memory of a device that `ReusedDeviceMemory` hands out.
  /// `cuda_runtime.cu` and `shim_runtime.cc` implement these functions.
  namespace runtime
  {
    /// If true, the pool keeps memory that is given back to it; if false, it
    /// returns all of it to the device. Returns false if there is no pool.
    bool
    keep_pool(bool keep) noexcept;

    /// Takes memory from the pool in the default stream.
    void *
    allocate_in_pool(std::size_t bytes);

    /// Gives memory back after the work in the default stream; if `waits`, it
    /// first waits for the work in all streams.
    void
    deallocate_in_pool(void *pointer, bool waits) noexcept;
  } // namespace runtime
} // namespace tessera
