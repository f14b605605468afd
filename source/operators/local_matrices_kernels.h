#pragma once

#include <tessera/base/target.h>
#include <tessera/space/cell_apply.h>
#include <tessera/space/on_components.h>

namespace tessera
{
  /// What is stored of a symmetric or any other cell matrix.
  enum class LocalEntries
  {
    all,         ///< [n][n]
    upper,       ///< row by row, j >= i
    off_diagonal ///< blocks of nodes a < b; see n_off_diagonal()
  };

  /// The most values of a cell's nodes for which there are kernels for
  /// `off_diagonal`: beyond it saves less than 8 %.
  constexpr int most_values_of_differences = 25;

  /// Returns the number of entries of a symmetric cell matrix without those of
  /// a node with itself. Component c of node a and component d of node b have
  /// the place (pair n_components + c) n_components + d, where pairs a < b are
  /// counted row by row.
  TESSERA_HOST_DEVICE constexpr int
  n_off_diagonal(const int n_nodes, const int n_components)
  {
    return n_nodes * (n_nodes - 1) / 2 * n_components * n_components;
  }

  /// Returns the place of a pair a < b among those of n nodes.
  TESSERA_HOST_DEVICE constexpr int
  pair_of_nodes(const int n, const int a, const int b)
  {
    return a * n - a * (a + 1) / 2 + b - a - 1;
  }

  /// Returns the number of values that are stored of a cell matrix.
  TESSERA_HOST_DEVICE constexpr int
  n_stored(const LocalEntries entries, const int n_nodes,
           const int n_components)
  {
    const int n = n_nodes * n_components;
    return entries == LocalEntries::all ? n * n
           : entries == LocalEntries::upper
             ? n * (n + 1) / 2
             : n_off_diagonal(n_nodes, n_components);
  }

  /// The values of cell matrices and what is done with them. `Stored` is their
  /// number type; products and sums have the type `Number` of the vectors.
  template <class Number, class Stored = Number>
  struct LocalValues
  {
    const Stored *values; ///< [n_batches][n_stored()][lanes]
    LocalEntries entries;
    int n_components;
    /// If true, the diagonals are added to y.
    bool diagonal = false;
    /// If not null, cells store what they have for y here instead of adding to
    /// it, as [n_batches][n][lanes].
    Number *of_cells = nullptr;
  };

  /// Applies cell matrices to x, or adds their diagonals to y. On the device,
  /// `entries` is not `off_diagonal`.
  template <class E, class Number>
  void
  apply_local_matrices(Cuda, const CellApply<Number> &apply,
                       const LocalValues<Number> &local, Stream stream);

  template <class E, class Number, class Target, IfHost<Target> = 0>
  void
  apply_local_matrices(Target, const CellApply<Number> &apply,
                       const LocalValues<Number> &local, Stream stream);

  /// Does the same on the device for `off_diagonal`, if a cell has at most
  /// `most_values_of_differences` values, and for upper halves in float under
  /// products in double.
  template <class E, class Number, class Stored>
  void
  apply_reduced_matrices(Cuda, const CellApply<Number> &apply,
                         const LocalValues<Number, Stored> &local,
                         Stream stream);
} // namespace tessera
