#pragma once

#include <tessera/matrix/sparse_rows.h>

namespace tessera
{
  /// Makes the pattern of A B, without values. On the device a team of 8 or 32
  /// threads finds the columns of a row in a hash table on chip; one pass
  /// counts them, and another one writes and sorts them. Rows of more than 384
  /// columns are done afterwards with tables in the memory of the device. On
  /// the host a thread has a mark for each column. With `with_diagonal`, every
  /// row has its diagonal entry.
  SparseRows
  product_pattern(const RowsView &A, const RowsView &B, Backend backend,
                  bool with_diagonal = false);

  /// Computes the values of C = A B, whose pattern `product_pattern` has made.
  /// The terms of an entry are added in the order of the columns of A, each
  /// product rounded, so that both backends and any number of threads give the
  /// same bits. Reads the rows of B once for every entry of A. On the device a
  /// team adds up a row on chip and writes it once; rows of more than 384 sums
  /// are added up in the memory of the device.
  void
  multiply(const RowsView &A, const RowsView &B, SparseRows &C);

  /// Computes coarse = P^T A P by half = A P; `transposed` is P^T. Patterns are
  /// made if these matrices are empty; otherwise they must come from an earlier
  /// call with the same patterns, so that new values of A cost only products.
  /// Rows and columns of `coarse` without entries get a one on the diagonal.
  void
  galerkin_product(const RowsView &A, const SparseRows &P,
                   const SparseRows &transposed, SparseRows &half,
                   SparseRows &coarse);
} // namespace tessera
