#pragma once

#include "../../operators/csr_tiles_kernels.h"

namespace tessera
{
  /// Entries and row ends of a tile of the device's kernel.
  int
  csr_merge_tile();

  template <class Number, class Offset>
  void
  apply_csr_merge(const CsrTilesApply<Number, Offset> &apply, Stream stream);
} // namespace tessera
