#pragma once

#include <tessera/space/shared_entries.h>

namespace tessera
{
  /// Sets the entries of all pieces of y to zero on the device.
  template <class Number>
  void
  zero_pieces(const SharedEntries::Piece *pieces, int n_pieces, Number *y,
              Stream stream);
} // namespace tessera
