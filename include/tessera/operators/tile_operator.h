#pragma once

#include <tessera/matrix/csr.h>
#include <tessera/operators/row_operator.h>

namespace tessera
{
  template <class Number>
  struct TileSums;

  /// Defines which items are counted so that all tiles have equally many.
  enum class TileCut
  {
    entries,   ///< entries of the matrix, regardless of rows
    merge_path ///< entries and row ends (Merrill and Garland 2016)
  };

  /// Base class of the row operators that split their work by entries instead
  /// of rows, so that long rows do not keep other rows waiting. A tile stores
  /// the results of the rows that end in it. Its first row may have begun in an
  /// earlier tile, and the row that is open at its end continues in a later
  /// one. Products are repeatable and need no atomics.
  ///
  /// On the host every tile leaves a partial sum for its first and for its open
  /// row. These are added in the order of the tiles after all tiles are done.
  ///
  /// On the device the product is one kernel, in which a block works on a tile.
  /// It treats a row that began before the tile in one of two ways:
  /// - If the row began a few entries before (at most tile_repeats of
  ///   tuning.h), the tile computes their products again. The previous tile
  ///   reads the same entries, so they come from the cache, and no tile waits.
  ///   If all rows are this short, no tile depends on another one.
  /// - If the row is longer, every earlier tile that contains a part of it
  ///   hands over its partial sum before it waits for anything itself. The tile
  ///   in which the row ends collects these parts, one per thread at a time,
  ///   and adds them in a fixed order. A row over a hundred tiles thus costs
  ///   one lookup and one sum of a block.
  ///
  /// A partial sum serves as its own flag (base/hand_over.cuh). The tile that
  /// takes it marks its place as empty again, and every part is taken by
  /// exactly one tile. Therefore the next product finds all places empty, also
  /// in a captured graph. Two concurrent products would take each other's parts
  /// and could wait forever: an operator must not be used in two streams at a
  /// time.
  template <class Number>
  class TileOperator : public RowOperator<Number>
  {
  public:
    /// Returns the traffic of RowOperator plus the data that tiles read and
    /// hand over. On the device every partial sum that is handed over is
    /// written, read and marked as empty.
    Traffic
    traffic() const override;

    int
    n_tiles() const
    {
      return static_cast<int>(first_row.size()) - 1;
    }

    /// Returns the largest number of entries before a tile that it computes
    /// again on the device.
    static int
    most_repeated();

    /// Returns the number of partial sums that tiles hand over in a product on
    /// the device.
    std::int64_t
    n_parts() const
    {
      return n_handed_over;
    }

    /// Returns the number of items of a tile, counted according to TileCut.
    int
    tile_size() const
    {
      return size;
    }

  protected:
    /// Computes where the tiles of a matrix begin. The vectors of the operator
    /// have `n_tail` tail entries.
    TileOperator(const CsrMatrix<Number> &matrix, int n_tail, int size,
                 TileCut cut);

    TileSums<Number>
    tiles() const;

  private:
    int size;
    TileCut cut;
    std::int64_t n_entries;
    Array<int> first_row; ///< [n_tiles + 1], see TileSums
    Array<int> begun;     ///< [n_tiles + 1], see TileSums; device only
    /// Partial sums: on the host [2][n_tiles], first rows and then open rows;
    /// on the device [n_tiles], open rows.
    mutable Array<Number> sums;
    std::int64_t n_handed_over = 0;
  };
} // namespace tessera
