#pragma once

#include <tessera/base/target.h>

#include "ssor_kernels.h"

// The kernels of Ssor on local matrices, for the device (ssor_cells.cu) and for
// the host (ssor_cells_host.cc).
namespace tessera
{
  /// The rows of the local matrices of cells or of faces. A part is one row of
  /// one local matrix, encoded as cell n + node. Part k of lane l of slice s
  /// stands at (start[s] + k) 32 + l.
  template <class Number>
  struct LocalRows
  {
    static constexpr unsigned int none = ~0u; ///< marks padding in `parts`

    const std::int64_t *start; ///< [n_slices + 1]; null if there are no rows
    const unsigned int *parts; ///< [start[n_slices]][32]
    const int *places;         ///< [n_batches][n][lanes]; -1 if not a row
    const Number *values;      ///< [n_batches][n n or n (n + 1) / 2][lanes]
    int n;                     ///< nodes of a cell
    int lanes;                 ///< cells of a batch
    bool symmetric;            ///< `values` holds upper halves
  };

  template <class Number>
  struct CellSweep
  {
    LocalRows<Number> cells, faces;
    const Number *factor; ///< [n_places]: w / D_i, 0 for unused places
    Number *y;            ///< [n_places]
    SliceRange slices;
    bool lower;
  };

  /// Subtracts from y_i, for the rows i of the given slices,
  ///   factor_i (sum over the cells and faces of row i and over their nodes j
  ///             of k_ij y_j),
  /// where only the nodes j count whose place comes before the place of i
  /// (`lower`), or after it.
  template <class Number>
  void
  sweep_ssor(Cuda, const CellSweep<Number> &sweep, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  sweep_ssor(Target, const CellSweep<Number> &sweep, Stream stream);
} // namespace tessera
