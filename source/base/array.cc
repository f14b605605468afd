#include <tessera/base/array.h>
#include <tessera/base/device_memory.h>
#include <tessera/base/error.h>
#include <tessera/base/host_memory.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <string>

namespace tessera::internal
{
  namespace
  {
    constexpr std::align_val_t alignment{64};

    /// From this size on, an allocation first asks the system for its free
    /// memory: the system grants more than it has and ends the program when
    /// that memory is used.
    constexpr std::size_t many_bytes = std::size_t(1) << 28;

    struct DeviceArray
    {
      std::size_t bytes;
      bool is_in_pool;
    };

    /// Every array in device memory, the bytes of all and the most that they
    /// were, and the objects of ReusedDeviceMemory.
    std::map<const void *, DeviceArray> device_arrays;
    std::uint64_t bytes_in_use = 0, peak_bytes = 0;
    int n_reusing = 0;
    std::mutex device_arrays_in_use;
    using Lock = std::lock_guard<std::mutex>;
  } // namespace

  void *
  allocate(const Backend backend, const std::size_t n, const std::size_t size)
  {
    if (n > std::numeric_limits<std::ptrdiff_t>::max() / size)
      throw DeviceError("Memory for " + std::to_string(n) + " values of " +
                        std::to_string(size) + " bytes does not exist.");
    const std::size_t bytes = n * size;
    if (backend == Backend::cuda)
      {
        const Lock lock(device_arrays_in_use);
        const bool in_pool = n_reusing > 0;
        void *const pointer =
          in_pool ? runtime::allocate_in_pool(bytes) : runtime::allocate(bytes);
        device_arrays[pointer] = {bytes, in_pool};
        bytes_in_use += bytes;
        peak_bytes = std::max(peak_bytes, bytes_in_use);
        return pointer;
      }
    if (bytes < many_bytes || static_cast<double>(bytes) < free_host_memory())
      if (void *pointer = ::operator new(bytes, alignment, std::nothrow))
        {
          ask_for_large_pages(pointer, bytes);
          return pointer;
        }
    throw DeviceError("Taking " + std::to_string(bytes) +
                      " bytes of host memory failed.");
  }

  void
  deallocate(const Backend backend, void *pointer) noexcept
  {
    if (backend == Backend::host)
      return ::operator delete(pointer, alignment);
    const Lock lock(device_arrays_in_use);
    const auto array = device_arrays.find(pointer);
    const bool is_in_pool =
      array != device_arrays.end() && array->second.is_in_pool;
    if (array != device_arrays.end())
      {
        bytes_in_use -= array->second.bytes;
        device_arrays.erase(array);
      }
    if (is_in_pool)
      runtime::deallocate_in_pool(pointer, n_reusing == 0);
    else
      runtime::deallocate(pointer);
  }

  void
  finish_arrays(const Backend backend)
  {
    if (backend == Backend::host)
      return;
    {
      const Lock lock(device_arrays_in_use);
      if (n_reusing > 0)
        return;
    }
    runtime::synchronize({});
  }

  void
  zero_on_host(void *pointer, const std::size_t bytes)
  {
    constexpr std::int64_t page     = 4096;
    const std::int64_t n            = bytes;
    const std::int64_t n_pages      = (n + page - 1) / page;
    char *const begin               = static_cast<char *>(pointer);
    constexpr std::int64_t parallel = 16;
#pragma omp parallel for if (n_pages > parallel)
    for (std::int64_t p = 0; p < n_pages; ++p)
      std::memset(begin + p * page, 0, std::min(page, n - p * page));
  }
} // namespace tessera::internal

std::uint64_t
tessera::device_memory_in_use()
{
  const internal::Lock lock(internal::device_arrays_in_use);
  return internal::bytes_in_use;
}


std::uint64_t
tessera::device_memory_peak()
{
  const internal::Lock lock(internal::device_arrays_in_use);
  return internal::peak_bytes;
}


tessera::ReusedDeviceMemory::ReusedDeviceMemory(const Backend backend)
  : is_used(backend == Backend::cuda)
{
  const internal::Lock lock(internal::device_arrays_in_use);
  is_used = is_used && (internal::n_reusing > 0 || runtime::keep_pool(true));
  internal::n_reusing += is_used;
}


tessera::ReusedDeviceMemory::~ReusedDeviceMemory()
{
  const internal::Lock lock(internal::device_arrays_in_use);
  if (is_used && --internal::n_reusing == 0)
    runtime::keep_pool(false);
}
