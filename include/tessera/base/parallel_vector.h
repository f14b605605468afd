#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace tessera
{
  namespace internal
  {
    /// Has all threads write to fresh memory, of large pages where the system
    /// has them.
    void
    touch_pages(void *memory, std::size_t bytes);
  } // namespace internal

  /// std::vector<T>(n, value), its memory touched by all threads before one of
  /// them fills it: most of what a large vector costs are its page faults.
  template <class T>
  std::vector<T>
  parallel_vector(const std::size_t n, const T &value = T())
  {
    static_assert(std::is_trivially_copyable_v<T>, "bytes are written");
    std::vector<T> result;
    result.reserve(n);
    internal::touch_pages(result.data(), n * sizeof(T));
    result.resize(n, value);
    return result;
  }
} // namespace tessera
