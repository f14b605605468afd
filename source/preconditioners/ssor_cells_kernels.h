#pragma once

#include <tessera/base/target.h>

#include "ssor_kernels.h"

// The kernels of Ssor on local matrices, once for the device (ssor_cells.cu)
// and once for the host (ssor_cells_host.cc).
namespace tessera
{
  /// Rows of local matrices, of cells or of faces. Part k of lane l of slice s
  /// of rows stands at (start[s] + k) 32 + l: a node of a cell, cell n + node.
  template <class Number>
  struct LocalRows
  {
    static constexpr unsigned int none = ~0u; ///< padding of `parts`

    const std::int64_t *start; /// [n_slices + 1]; null: there are no rows
    const unsigned int *parts; /// [start[n_slices]][32]
    const int *places;         /// [n_batches][n][lanes], -1: not a row
    const Number *values;      /// [n_batches][n n or n (n + 1) / 2][lanes]
    int n;                     ///< nodes
    int lanes;                 ///< of a batch
    bool symmetric;            ///< whether `values` are upper halves
  };

  template <class Number>
  struct CellSweep
  {
    LocalRows<Number> cells, faces;
    const Number *factor; /// [n_places] w / D_i, 0 where no row is
    Number *y;            /// [n_places]
    SliceRange slices;
    bool lower;
  };

  /// scale_i = (2 - w) w / D_i and factor[place[i]] = w / D_i.
  template <class Number>
  void
  scale_ssor(Cuda, const Number *diagonal, const int *place, int n_rows,
             Number relaxation, Number *scale, Number *factor, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  scale_ssor(Target, const Number *diagonal, const int *place, int n_rows,
             Number relaxation, Number *scale, Number *factor, Stream stream);

  /// y_i -= factor_i (sum over the cells and faces of row i and over those of
  /// their nodes j whose place comes before, or after, that of i of k_ij y_j)
  template <class Number>
  void
  sweep_ssor(Cuda, const CellSweep<Number> &sweep, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  sweep_ssor(Target, const CellSweep<Number> &sweep, Stream stream);
} // namespace tessera
