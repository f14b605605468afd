#pragma once

#include <tessera/matrix/sparsity_pattern.h>

#include <vector>

namespace tessera
{
  /// Rows by length, longest classes first: a class begins where rows have at
  /// most 3/5 of the length of the longest row of the class before. Nodes of a
  /// cell's vertices, edges, faces and interior are in different classes if
  /// the degree is at least 2: with each dimension a row of quadrilaterals or
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

    /// Place of the row's length among those of its class, at least zero and
    /// less than n_lengths, the longest one last.
    int
    rank(const int row) const
    {
      return rank_of[length(row)];
    }

    std::vector<unsigned char> of_row; ///< [n_rows] class; at most 43 are there
    std::vector<int> rows;             ///< [n_rows] by class, then by index
    std::vector<int> start;            ///< [n_classes + 1] into `rows`
    /// [n_classes] different lengths; beyond 64 the shorter ones count as one.
    std::vector<int> n_lengths;
    std::vector<int> longest; ///< [n_classes] length

  private:
    const std::int64_t *row_start;
    std::vector<int> rank_of; ///< [longest row + 1]
  };
} // namespace tessera
