#pragma once

#include <tessera/matrix/sparsity_pattern.h>

#include <vector>

namespace tessera
{
  /// A colouring of the rows of a matrix. Rows that couple have different
  /// colours, so that all rows of one colour can be solved for at the same
  /// time.
  struct RowColoring
  {
    std::vector<int> color; ///< [n_rows], in [0, n_colors)
    int n_colors = 0;
  };

  /// Colours the rows of a matrix on the host by a greedy algorithm.
  ///
  /// Rows are divided into classes of similar length, and the class of the
  /// longest rows comes first: nodes of vertices, of edges, of faces, inside of
  /// cells. Within a class, the next row is the one whose neighbours have the
  /// most colours (Brelaz1979); of several, the longest one; of these, the one
  /// that has waited longest. It gets the smallest colour that no neighbour
  /// has.
  ///
  /// A class whose rows do not see colours of earlier classes, such as nodes of
  /// vertices, is coloured row after row: its colours decide how many colours
  /// the other classes need, and colours of separate pieces would not match
  /// where these meet. Any other class with more than rows_per_piece rows is
  /// cut into pieces of that size. All threads colour pieces at the same time,
  /// each as if there were no other piece. If two neighbours get the same
  /// colour, the one in the later piece loses it; these rows, along the borders
  /// of pieces, are coloured one after another afterwards (after
  /// GebremedhinManne2000). Therefore colours do not depend on the number of
  /// threads.
  ///
  /// The number of colours is at least the number of degrees of freedom of a
  /// cell. This minimum is reached on meshes of quadrilaterals with few
  /// irregular vertices and without borders of pieces. Other meshes need a few
  /// more; borders cost one more colour, with few rows, for degree 2.
  ///
  /// The pattern must be symmetric; its diagonal may be stored or not. The same
  /// pattern gives the same colours. The algorithm needs, besides the pattern,
  /// 9 bytes per row; 8 bytes per row for every 64 colours that space is
  /// reserved for, which are at least 64 more than there are and at least twice
  /// as many; and 4 bytes for each time a row waits. Throws ParameterError if
  /// rows_per_piece is less than 1.
  RowColoring
  color_rows(const SparsityPattern &pattern, int rows_per_piece = 1 << 18);
} // namespace tessera
