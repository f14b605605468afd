#pragma once

#include <tessera/base/vector.h>

namespace tessera
{
  /// to[i] = from[order[i]] for all n_owned entries: vectors of a matrix that
  /// `reorder` brought into that order. 4 + 2 s bytes an entry; one launch.
  /// What comes back by the inverse is the final remap of WongKuhlDarve2015,
  /// section 5.2. `from` and `to` are of one backend and size, and not the
  /// same; `order` is [n_owned]. Tails are left alone.
  template <class Number>
  void
  permute(Vector<Number> &to, const Vector<Number> &from,
          const Array<int> &order, Stream stream = {});
} // namespace tessera
