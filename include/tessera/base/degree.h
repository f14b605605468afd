#pragma once

#include <stdexcept>
#include <type_traits>

namespace tessera
{
  template <int degree>
  using Degree = std::integral_constant<int, degree>;

  /// Calls `f(Degree<degree>())`: from a run-time degree to an instantiation
  /// of instantiate.inc.
  template <class F>
  decltype(auto)
  on_degree(const int degree, F &&f)
  {
    switch (degree)
      {
        case 1:
          return f(Degree<1>());
        case 2:
          return f(Degree<2>());
        case 3:
          return f(Degree<3>());
        case 4:
          return f(Degree<4>());
        default:
          throw std::logic_error("there are kernels for degrees 1 to 4");
      }
  }
} // namespace tessera
