#pragma once

#include "../../operators/tile_kernels.h"

namespace tessera
{
  /// y (+)= A x for coordinates in tiles. No entry tells of an empty row: on
  /// the host these are left as they are.
  template <class Number>
  struct CooApply
  {
    RowApply<Number> rows;
    TileSums<Number> tiles;
    const int *row_of;    ///< [n_nonzeros], increasing
    const int *columns;   ///< [n_nonzeros]
    const Number *values; ///< [n_nonzeros]
    bool zeroes;          ///< rows before they are stored; on the device
  };

  /// Entries of a tile of the device's kernel.
  int
  coo_tile();

  template <class Number>
  void
  apply_coo(Cuda, const CooApply<Number> &apply, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  apply_coo(Target, const CooApply<Number> &apply, Stream stream);
} // namespace tessera
