#pragma once

#include <tessera/preconditioners/aggregates.h>

namespace tessera
{
  /// Functions of a level, B = Q R, that are orthonormal on every aggregate.
  struct OrthonormalModes
  {
    int n = 0;
    /// Q, [n_nodes][row_block][n]: the tentative prolongation P_0 has the block
    /// of a node in the column of its aggregate. Nodes without aggregate have
    /// zeros.
    Array<double> q;
    Array<double> r; ///< [aggregates.n][n][n]: the modes of the coarser level
  };

  /// Orthonormalises the n_modes functions B, [n_nodes][row_block][n_modes], by
  /// modified Gram-Schmidt steps, applied twice. A function that depends on
  /// earlier ones within an aggregate has zeros in Q and in its row of R.
  OrthonormalModes
  orthonormalize(const Aggregates &aggregates, int row_block, int n_modes,
                 const Array<double> &modes);

  /// Returns the largest eigenvalue of D^-1 A, where D has the diagonal entries
  /// of A, by Lanczos's method from a vector of hashed numbers. The result has
  /// the same bits on both backends.
  double
  largest_eigenvalue(const RowsView &A, int n_steps, Backend backend,
                     const PartExchange &parts = {});

  /// Returns P = P_0 - weight D^-1 A_s P_0. A_s has the strong entries of A;
  /// the diagonal block of a row absorbs the effect of the weak entries on the
  /// functions B, `modes`, so that A_s B = A B. Then P R = B - weight D^-1 A B:
  /// functions without energy are represented exactly. Rows of nodes without
  /// aggregate are empty. If the rows belong to a part, B, Q and the aggregates
  /// include the ghosts, and R does not.
  SparseRows
  smoothed_prolongation(const RowsView &A, const StrongGraph &graph,
                        const Aggregates &aggregates,
                        const Array<double> &modes,
                        const OrthonormalModes &orthonormal, double weight);
} // namespace tessera
