#pragma once

#include "tile_kernels.h"

namespace tessera
{
  /// y (+)= A x for compressed rows in tiles.
  template <class Number, class Offset>
  struct CsrTilesApply
  {
    RowApply<Number> rows;
    TileSums<Number> tiles;
    const Offset *row_start; ///< [n_rows + 1]
    const int *columns;      ///< [n_nonzeros]
    const Number *values;    ///< [n_nonzeros]
    int values_per_thread;   ///< of csr_mgpu on the device
  };

  /// Entries of a tile of the device's kernel.
  int
  csr_mgpu_tile(int values_per_thread);

  template <class Number, class Offset>
  void
  apply_csr_mgpu(const CsrTilesApply<Number, Offset> &apply, Stream stream);

  template <class Number, class Offset, class Target, IfHost<Target> = 0>
  void
  apply_csr_tiles(Target, const CsrTilesApply<Number, Offset> &apply,
                  Stream stream);
} // namespace tessera
