#pragma once

#include <tessera/matrix/sparse_matrix.h>

namespace tessera
{
  /// Sorts rows with the starts `row_start`, [n_rows + 1], longer ones first
  /// and equal ones in their order, within each `window` of rows or all (0):
  /// entry i is the row that comes to place i (WongKuhlDarve2015, figure 5).
  std::vector<int>
  order_by_row_length(const std::vector<std::int64_t> &row_start,
                      int window = 0);

  /// The inverse of a permutation. Throws ParameterError for other lists.
  std::vector<int>
  inverse_permutation(const std::vector<int> &permutation);

  /// P A P^T, whose row i is row `order[i]` of A, with columns renumbered alike
  /// (WongKuhlDarve2015, section 5.2, K1r). Entries keep their order along a
  /// row, so that columns no longer increase, unless `sorted`, which is K1rs
  /// (section 5.3). Throws ParameterError unless A is square and `order` is an
  /// order of its rows.
  SparseMatrix
  reorder(const SparseMatrix &A, const std::vector<int> &order, bool sorted);
} // namespace tessera
