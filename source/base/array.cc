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

    /// The bytes of every array in device memory.
    std::map<const void *, std::size_t> device_arrays;
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
        void *const pointer = runtime::allocate(bytes);
        const Lock lock(device_arrays_in_use);
        device_arrays[pointer] = bytes;
        return pointer;
      }
    if (bytes < many_bytes || static_cast<double>(bytes) < free_host_memory())
      if (void *pointer = ::operator new(bytes, alignment, std::nothrow))
        return pointer;
    throw DeviceError("Taking " + std::to_string(bytes) +
                      " bytes of host memory failed.");
  }

  void
  deallocate(const Backend backend, void *pointer) noexcept
  {
    if (backend == Backend::host)
      return ::operator delete(pointer, alignment);
    {
      const Lock lock(device_arrays_in_use);
      device_arrays.erase(pointer);
    }
    runtime::deallocate(pointer);
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
  std::uint64_t bytes = 0;
  for (const auto &array : internal::device_arrays)
    bytes += array.second;
  return bytes;
}
