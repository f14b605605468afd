#pragma once

#include <tessera/base/vector.h>

namespace tessera
{
  /// Sets to_i = factor from_i on owned entries, rounded to the number type of
  /// `to`; the product is computed in double. Tails are left unchanged. Throws
  /// std::length_error for vectors of different sizes or backends.
  template <class To, class From>
  void
  convert(Vector<To> &to, const Vector<From> &from, double factor = 1,
          Stream stream = {});

  /// Computes to_i += factor from_i, in the number type of `to`.
  void
  add_converted(Vector<double> &to, const Vector<float> &from, double factor,
                Stream stream = {});
} // namespace tessera
