#pragma once

#include <type_traits>

namespace tessera
{
  /// Calls `f` with the constant that `value` is, one of those given.
  template <int first, int... others, class F>
  void
  on_constant(const int value, const F &f)
  {
    if constexpr (sizeof...(others) > 0)
      if (value != first)
        return on_constant<others...>(value, f);
    f(std::integral_constant<int, first>());
  }
} // namespace tessera
