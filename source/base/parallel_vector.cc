#include <tessera/base/parallel_vector.h>

#include <cstdint>
#include <sys/mman.h>

namespace tessera::internal
{
  void
  touch_pages(void *const memory, const std::size_t bytes)
  {
    constexpr std::size_t page = 4096, large_page = std::size_t(2) << 20;
    if (bytes < 2 * large_page)
      return;
    char *const first = static_cast<char *>(memory);
    const std::size_t skip =
      -reinterpret_cast<std::uintptr_t>(first) & (large_page - 1);
    // This is only advice: if the system refuses it, pages stay small.
    madvise(first + skip, (bytes - skip) / large_page * large_page,
            MADV_HUGEPAGE);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < bytes; i += page)
      first[i] = 0;
  }
} // namespace tessera::internal
