#pragma once

#include <tessera/matrix/sparsity_pattern.h>

#include <vector>

namespace tessera
{
  /// Colours of the rows of a matrix: two rows that couple have different ones,
  /// so that those of a colour can be solved for at the same time.
  struct RowColoring
  {
    std::vector<int> color; ///< [n_rows], in [0, n_colors)
    int n_colors = 0;
  };

  /// Greedy: next comes the row whose neighbours have the most colours, of
  /// those the longest one, of those the one that has waited longest; it gets
  /// the lowest colour that no neighbour has. At least as many colours are
  /// needed as a cell has degrees of freedom; that many are found on meshes of
  /// quadrilaterals with few irregular vertices, a few more elsewhere.
  ///
  /// The pattern is symmetric, its diagonal may be stored or not. The same
  /// pattern gives the same colours. On the host, serial; beside the pattern 8
  /// bytes a row for every 64 colours, and 4 for each time a row waits.
  RowColoring
  color_rows(const SparsityPattern &pattern);
} // namespace tessera
