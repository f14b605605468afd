#pragma once

#include <tessera/base/attributes.h>
#include <tessera/matrix/packed_columns.h>
#include <tessera/matrix/short_columns.h>

#include "lanes_have_many.h"
#include "row_operator_kernels.h"

namespace tessera
{
  /// Columns of slices as they are, [slice][line][C].
  struct SellColumns
  {
    const int *columns;
  };

  /// y (+)= A x for rows in sliced ELLPACK; see SellMatrix. Values may have
  /// another type than vectors and sums.
  template <class Number, class Columns = SellColumns, class Value = Number>
  struct SellApply
  {
    RowApply<Number> rows;
    SellSlices slices;
    int most_log2_threads; ///< lanes of a row
    Columns columns;
    const Value *values;
    int last_column;       ///< that lanes which have ended on the host may read
    bool many;             ///< entries a lane; all this is of the device
    int block      = 0;    ///< threads; 0: as tuned
    bool read_only = true; ///< how x is loaded
  };

  /// y (+)= A x for rows of b x b blocks in slices; see SellMatrix.
  template <class Number>
  struct SellBlocksApply
  {
    RowApply<Number> rows;
    SellSlices slices;    ///< of rows of blocks
    const int *columns;   ///< [slice][width][C]
    const Number *values; ///< [slice][width][b][b][C]
    int b;                ///< 2 or 3
  };

  /// Lanes of all slices.
  TESSERA_HOST_DEVICE constexpr std::int64_t
  sell_lanes(const int n_slices, const int log2_lanes)
  {
    return static_cast<std::int64_t>(n_slices) << log2_lanes;
  }

  /// Returns true if lanes have more entries than tuning.h calls few of such
  /// columns.
  template <class Columns, class Number>
  bool
  has_many(const SellMatrix<Number> &matrix)
  {
    return lanes_have_many(
      std::is_same_v<Columns, ShortColumns::View>,
      static_cast<double>(matrix.n_nonzeros()),
      static_cast<double>(sell_lanes(matrix.n_slices(), matrix.log2_lanes())),
      sizeof(Number));
  }

  /// Blocks of so many threads that the kernel of the device is launched with.
  int
  sell_blocks(std::int64_t n_lanes, int block);

  /// Slices of a block on the host, which sums up its part of x . A x by
  /// itself.
  constexpr int host_slices = 32;

  template <class Number, class Columns, class Value>
  void
  apply_sell(Cuda, const SellApply<Number, Columns, Value> &apply,
             Stream stream);

  template <class Number, class Columns, class Value, class Target,
            IfHost<Target> = 0>
  void
  apply_sell(Target, const SellApply<Number, Columns, Value> &apply,
             Stream stream);

  template <class Number>
  void
  apply_sell_blocks(Cuda, const SellBlocksApply<Number> &apply, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  apply_sell_blocks(Target, const SellBlocksApply<Number> &apply,
                    Stream stream);
} // namespace tessera
