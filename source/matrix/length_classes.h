#pragma once

#include <tessera/matrix/sparsity_pattern.h>

#include <vector>

namespace tessera
{
  /// Rows classified by length, longest class first. A class ends where rows
  /// have at most 3/5 of the length of its longest row. With degree 2 and
  /// higher, the nodes at vertices, on edges, on faces and inside cells are in
  /// different classes: with each dimension, a row of quadrilaterals or
  /// hexahedra has (p + 1) / (2p + 1) of the columns.
  class LengthClasses
  {
  public:
    explicit LengthClasses(const SparsityPattern &pattern);

    int
    n_classes() const
    {
      return static_cast<int>(n_lengths.size());
    }

    int
    length(const int row) const
    {
      return static_cast<int>(row_start[row + 1] - row_start[row]);
    }

    /// Returns the rank of the row's length in its class, from 0 for the
    /// shortest to n_lengths - 1 for the longest.
    int
    rank(const int row) const
    {
      return rank_of[length(row)];
    }

    std::vector<unsigned char> of_row; ///< [n_rows]: class, one of at most 43
    std::vector<int> rows;             ///< [n_rows]: by class, then by index
    std::vector<int> start;            ///< [n_classes + 1] into `rows`
    /// [n_classes]: different lengths; beyond 64, the shorter count as one.
    std::vector<int> n_lengths;
    std::vector<int> longest; ///< [n_classes]: length of the longest row

  private:
    const std::int64_t *row_start;
    std::vector<int> rank_of; ///< [longest row + 1]: rank, or -1
  };
} // namespace tessera
