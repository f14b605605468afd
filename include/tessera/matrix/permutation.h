#pragma once

#include <tessera/base/vector.h>

namespace tessera
{
  /// Computes to[i] = from[order[i]] for all n_owned entries. Use it for
  /// vectors of a matrix that `reorder` brought into that order; permuting back
  /// by the inverse is the final remap of WongKuhlDarve2015, section 5.2.
  ///
  /// `from` and `to` are different vectors of the same backend and size;
  /// `order` is [n_owned]. Tails are left unchanged. Moves 4 + 2 s bytes per
  /// entry for numbers of s bytes, in one launch.
  template <class Number>
  void
  permute(Vector<Number> &to, const Vector<Number> &from,
          const Array<int> &order, Stream stream = {});
} // namespace tessera
