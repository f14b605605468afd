#pragma once

#include <tessera/base/target.h>
#include <tessera/matrix/row_matrix.h>

#include <cstdint>

// The kernels of Ssor, for the device (ssor.cu) and for the host
// (ssor_host.cc). A place is the position of a row in a ColorOrder.
namespace tessera
{
  /// Rows in slices of 32: entry k of lane l of slice s stands at (start[s] +
  /// k) 32 + l. Padding has the value 0 and the place of its own row as column.
  template <class Number>
  struct SlicedRows
  {
    const std::int64_t *start; ///< [n_slices + 1]
    const int *columns;        ///< [start[n_slices]][32]: places
    const Number *values;      ///< [start[n_slices]][32]
  };

  /// SlicedRows that are to be filled.
  template <class Number>
  struct SlicesToFill
  {
    const std::int64_t *start;
    int *columns;
    Number *values;
  };

  /// The slices of one colour.
  struct SliceRange
  {
    int first;
    int n;
  };

  /// Subtracts the sum over the entries of row i of a_ij y_j from y_i, for all
  /// rows of the given slices.
  template <class Number>
  void
  sweep_ssor(Cuda, const SlicedRows<Number> &rows, Number *y, SliceRange slices,
             Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  sweep_ssor(Target, const SlicedRows<Number> &rows, Number *y,
             SliceRange slices, Stream stream);
} // namespace tessera
