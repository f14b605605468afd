#pragma once

#include <tessera/matrix/csr.h>
#include <tessera/operators/row_operator.h>

namespace tessera
{
  template <class Number>
  struct TileSums;

  /// What the tiles of a matrix have the same number of.
  enum class TileCut
  {
    entries,   ///< whatever rows they belong to
    merge_path ///< entries and row ends together (Merrill and Garland 2016)
  };

  /// An operator of rows that splits its work by entries instead of rows, so
  /// that long rows do not keep others waiting. Tiles of equal size are summed
  /// independently of one another. The row that a tile ends first may have
  /// begun before it, and the one that is open at its end goes on behind it: of
  /// both the tile leaves its part, and when all are done, these parts are
  /// added in the order of the tiles. Repeatable; there are no atomics.
  template <class Number>
  class TileOperator : public RowOperator<Number>
  {
  public:
    /// With what tiles read and leave.
    Traffic
    traffic() const override;

    int
    n_tiles() const
    {
      return static_cast<int>(sums.size() / 2);
    }

    /// Entries of a tile, or entries and row ends.
    int
    tile_size() const
    {
      return size;
    }

  protected:
    /// Finds where the tiles of a matrix begin. `n_tail` is that of its
    /// vectors.
    TileOperator(const CsrMatrix<Number> &matrix, int n_tail, int size,
                 TileCut cut);

    TileSums<Number>
    tiles() const;

  private:
    int size;
    TileCut cut;
    std::int64_t n_entries;
    Array<int> first_row;       ///< [n_tiles + 1], as in TileSums
    mutable Array<Number> sums; ///< [2][n_tiles]: heads, and what is open
  };
} // namespace tessera
