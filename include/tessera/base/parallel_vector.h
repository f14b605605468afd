#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace tessera
{
  namespace internal
  {
    /// Vectors of at least this many bytes are filled by all threads.
    constexpr std::size_t parallel_bytes = std::size_t(4) << 20;

    /// Lets all threads write `n` copies of a value of `size` bytes to freshly
    /// reserved memory, so that its page faults are spread over them; asks for
    /// large pages if the system has them.
    void
    fill_by_all_threads(void *memory, std::size_t n, const void *value,
                        std::size_t size);

    /// Sets the size of a vector whose elements were written to its reserved
    /// memory. The standard has no way that does not write them again, by one
    /// thread; this code relies on the layout in GCC's library.
    template <class T>
    struct WrittenVector : std::vector<T>
    {
      static void
      set_size(std::vector<T> &vector, const std::size_t n, const T &value)
      {
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG)
        (void)value;
        auto &memory     = vector.*(&WrittenVector::_M_impl);
        memory._M_finish = memory._M_start + n;
#else
        vector.resize(n, value);
#endif
      }
    };
  } // namespace internal

  /// Returns std::vector<T>(n, value). All threads fill a large one, because
  /// page faults are most of its cost.
  template <class T>
  std::vector<T>
  parallel_vector(const std::size_t n, const T &value = T())
  {
    static_assert(std::is_trivially_copyable_v<T>, "bytes are written");
    if (n * sizeof(T) < internal::parallel_bytes)
      return std::vector<T>(n, value);
    std::vector<T> result;
    result.reserve(n);
    internal::fill_by_all_threads(result.data(), n, &value, sizeof(T));
    internal::WrittenVector<T>::set_size(result, n, value);
    return result;
  }
} // namespace tessera
