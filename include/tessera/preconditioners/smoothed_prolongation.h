#pragma once

#include <tessera/preconditioners/aggregates.h>

namespace tessera
{
  /// Orthonormalises n_modes functions on every aggregate, B = Q R, by modified
  /// Gram-Schmidt steps that are made twice. `modes` is
  /// [n_nodes][row_block][n_modes]; it has B before and Q afterwards, so that
  /// the tentative prolongation P_0 has the block of a node in the column of
  /// its aggregate. Returns R, [aggregates.n][n_modes][n_modes], which are the
  /// modes of the coarser level. A function that depends on those before it
  /// within an aggregate has zeros in Q and in its row of R.
  Array<double>
  orthonormalize(const Aggregates &aggregates, int row_block, int n_modes,
                 Array<double> &modes);

  /// Returns the largest eigenvalue of D^-1 A, where D has the diagonal entries
  /// of A, by Lanczos's method from a vector of hashed numbers. The result has
  /// the same bits on both backends.
  double
  largest_eigenvalue(const RowsView &A, int n_steps, Backend backend,
                     const PartExchange *parts = nullptr);

  /// Returns P = P_0 - weight D^-1 A_s P_0. A_s has the strong entries of A,
  /// and adds the others to the diagonal block of their row. `modes` is Q of
  /// `orthonormalize`. Rows of nodes without aggregate are empty. Where the
  /// rows are those of a part, modes and aggregates include those of ghosts.
  SparseRows
  smoothed_prolongation(const RowsView &A, const StrongGraph &graph,
                        const Aggregates &aggregates,
                        const Array<double> &modes, int n_modes, double weight);
} // namespace tessera
