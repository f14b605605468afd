#pragma once

#include <type_traits>

namespace tessera
{
  /// Turns a run-time value into a compile-time constant: calls `f` with the
  /// std::integral_constant that equals `value`. `value` must be one of the
  /// template arguments; the last one also serves any other value.
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
