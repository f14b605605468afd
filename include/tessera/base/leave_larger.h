#pragma once

#include <tessera/base/attributes.h>

#include <cstdint>
#include <type_traits>

namespace tessera
{
  /// Sets `largest` to the maximum of itself and `value`, an int or unsigned
  /// number of 64 bits. Other threads may do the same at the same time.
  template <class T>
  TESSERA_HOST_DEVICE void
  leave_larger(T &largest, const T value)
  {
#ifdef __CUDA_ARCH__
    using Word = std::conditional_t<std::is_same_v<T, std::uint64_t>,
                                    unsigned long long, T>;
    static_assert(sizeof(Word) == sizeof(T), "the words of atomicMax");
    auto *const to = reinterpret_cast<Word *>(&largest);
    if (*static_cast<volatile Word *>(to) < static_cast<Word>(value))
      atomicMax(to, static_cast<Word>(value));
#else
    T before = __atomic_load_n(&largest, __ATOMIC_RELAXED);
    while (before < value &&
           !__atomic_compare_exchange_n(&largest, &before, value, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      ;
#endif
  }
} // namespace tessera
