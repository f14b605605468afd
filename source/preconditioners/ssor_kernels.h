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

  template <class Number>
  struct SsorFill
  {
    RowEntries<const Number> rows;
    const int *place; ///< [n_rows]
    const int *row;   ///< [n_places]; -1 for unused places
    int n_places;
    SlicesToFill<Number> lower, upper;
    Number *scale; ///< [n_rows]
    Number relaxation;
  };

  /// The slices of one colour.
  struct SliceRange
  {
    int first;
    int n;
  };

  /// Fills `lower` with w / D_i A_ij for the columns j that come before i in
  /// the order of places, `upper` with those for the columns behind, and both
  /// with padding. Also computes scale_i = (2 - w) w / D_i.
  template <class Number>
  void
  fill_ssor(Cuda, const SsorFill<Number> &fill, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  fill_ssor(Target, const SsorFill<Number> &fill, Stream stream);

  /// Computes y[place[i]] = scale_i r_i.
  template <class Number>
  void
  import_ssor(Cuda, Number *y, const Number *r, const Number *scale,
              const int *place, int n_rows, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  import_ssor(Target, Number *y, const Number *r, const Number *scale,
              const int *place, int n_rows, Stream stream);

  /// Computes z_i = y[place[i]].
  template <class Number>
  void
  export_ssor(Cuda, Number *z, const Number *y, const int *place, int n_rows,
              Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  export_ssor(Target, Number *z, const Number *y, const int *place, int n_rows,
              Stream stream);

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
