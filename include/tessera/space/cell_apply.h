#pragma once

#include <tessera/base/grid_sum.h>
#include <tessera/space/cell_data.h>

// What cell operators hand to their kernels.
namespace tessera
{
  /// y (+)= A x on the cells of a block list. `x` and `y` are whole vectors,
  /// [owned | tail].
  template <class Number>
  struct CellApply
  {
    CellView<Number> cells;
    int batches_per_block;
    BlockList blocks;
    Conflict conflict;
    const Number *x;
    Number *y;
    /// Whether y is to be added to everywhere. If not, it is zero except where
    /// one cell alone writes.
    bool add;
    /// Where sum.result is not null, x . A x is summed up.
    GridSum<Number> sum;
  };
} // namespace tessera
