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

  /// Greedy, by classes of rows of similar lengths, longest ones first: nodes
  /// of vertices, of edges, of faces, inside of cells. Within a class next
  /// comes the row whose neighbours have the most colours (Brelaz1979), of
  /// those the longest one, of those the one that has waited longest; it gets
  /// the lowest colour that no neighbour has.
  ///
  /// A class whose rows do not see colours of earlier ones, as nodes of
  /// vertices, is coloured row after row: what it looks like decides how many
  /// colours the others need, and pieces of it would not match where they
  /// meet. Another one of more than rows_per_piece rows is cut into pieces of
  /// as many, which all threads colour at the same time, each as if there were
  /// no other. Of two neighbours of one colour the one in the later piece loses
  /// it; these rows, along the borders of pieces, follow one after another
  /// (after GebremedhinManne2000). So colours do not depend on the number of
  /// threads.
  ///
  /// At least as many colours are needed as a cell has degrees of freedom; that
  /// many are found on meshes of quadrilaterals with few irregular vertices and
  /// no borders of pieces, a few more elsewhere: borders cost one more, of few
  /// rows, for degree 2.
  ///
  /// The pattern is symmetric, its diagonal may be stored or not. The same
  /// pattern gives the same colours. On the host; beside the pattern 9 bytes a
  /// row, 8 for every 64 colours that there are or that room is kept for, at
  /// least as many again, and 4 for each time a row waits. Throws
  /// ParameterError if rows_per_piece is less than 1.
  RowColoring
  color_rows(const SparsityPattern &pattern, int rows_per_piece = 1 << 18);
} // namespace tessera
