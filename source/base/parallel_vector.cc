#include <tessera/base/host_memory.h>
#include <tessera/base/parallel_vector.h>

#include <algorithm>
#include <cstring>

namespace tessera::internal
{
  void
  fill_by_all_threads(void *const memory, const std::size_t n,
                      const void *const value, const std::size_t size)
  {
    constexpr std::size_t at_once = 4096;
    char *const first             = static_cast<char *>(memory);
    const char *const bytes       = static_cast<const char *>(value);
    ask_for_large_pages(memory, n * size);
    const bool equal_bytes = std::all_of(
      bytes, bytes + size, [&](char byte) { return byte == *bytes; });
#pragma omp parallel for schedule(static)
    for (std::size_t begin = 0; begin < n; begin += at_once)
      {
        const std::size_t end = std::min(n, begin + at_once);
        if (equal_bytes)
          std::memset(first + begin * size, *bytes, (end - begin) * size);
        else
          for (std::size_t i = begin; i < end; ++i)
            std::memcpy(first + i * size, bytes, size);
      }
  }
} // namespace tessera::internal
