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
  /// that long rows do not keep others waiting. A tile stores the rows that it
  /// ends; the first of them may have begun before it, and the one that is open
  /// at its end goes on behind it. Repeatable; there are no atomics.
  ///
  /// On the host a tile leaves its parts of both, which are added in the order
  /// of the tiles when all are done. On the device the product is one kernel, a
  /// block a tile:
  ///  - Where a row has begun a few entries before a tile (tile_repeats of
  ///    tuning.h), the tile forms their products once more. The tile before has
  ///    the same entries, so that they come from the cache; nothing is waited
  ///    for. With shorter rows no tile needs another.
  ///  - Of a longer row the tile before hands its part over, and so does every
  ///    tile that the row goes through, before it waits for anything itself.
  ///    The tile that ends the row takes all of these parts, its threads one
  ///    each at a time, and adds them in a fixed order: a row over a hundred
  ///    tiles costs one look and one sum of a block. A part is its own flag
  ///    (base/hand_over.cuh). Who takes it marks the place as empty again, and
  ///    every part is taken by one tile, so that the next product, also that of
  ///    a graph, finds all places as the first one did. Two products at a time
  ///    would take each other's parts and might wait for ever: an operator
  ///    serves one stream at a time.
  template <class Number>
  class TileOperator : public RowOperator<Number>
  {
  public:
    /// With what tiles read and leave; on the device a part is written, taken
    /// and marked as empty.
    Traffic
    traffic() const override;

    int
    n_tiles() const
    {
      return static_cast<int>(first_row.size()) - 1;
    }

    /// On the device: entries of a row before a tile that it takes once more.
    static int
    most_repeated();

    /// Parts of rows that tiles hand over in a product on the device.
    std::int64_t
    n_parts() const
    {
      return n_handed_over;
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
    Array<int> begun;           ///< the same, on the device
    mutable Array<Number> sums; ///< [2][n_tiles]: heads, and what is open; on
                                ///< the device [n_tiles]: what is open
    std::int64_t n_handed_over = 0;
  };
} // namespace tessera
