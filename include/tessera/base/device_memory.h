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

  /// Returns the most bytes that these were at a time.
  std::uint64_t
  device_memory_peak();

  /// While an object of this class for a device exists, device arrays that end
  /// give their memory to those that follow, without waiting for the device:
  /// set-up makes hundreds of arrays, and to take and give back memory for each
  /// would take longer than its kernels. All work on arrays that end meanwhile
  /// has to be in the default stream. With the last object ends the memory that
  /// no array has any more.
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

  /// The memory of a device that `ReusedDeviceMemory` hands out.
  /// `cuda_runtime.cu` and `shim_runtime.cc` implement these functions.
  namespace runtime
  {
    /// From now on the pool keeps memory that is given back to it, or gives all
    /// of it to the device. Returns false if the device has no pool.
    bool
    keep_pool(bool keep) noexcept;

    /// Takes memory from the pool in the default stream.
    void *
    allocate_in_pool(std::size_t bytes);

    /// Gives it back behind the work in the default stream, or waits until no
    /// stream works any more.
    void
    deallocate_in_pool(void *pointer, bool waits) noexcept;
  } // namespace runtime
} // namespace tessera
