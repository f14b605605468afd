#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace tessera
{
  namespace internal
  {
    /// Lets all threads write to freshly reserved memory, so that its page
    /// faults are spread over them; asks for large pages if the system has
    /// them. Does nothing below 4 MiB.
    void
    touch_pages(void *memory, std::size_t bytes);
  } // namespace internal

  /// Returns std::vector<T>(n, value). All threads touch the memory before one
  /// of them fills it, because page faults are most of the cost of a large
  /// vector.
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
