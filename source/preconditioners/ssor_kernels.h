#pragma once

#include <tessera/base/target.h>
#include <tessera/matrix/row_matrix.h>

#include <cstdint>

// The kernels of Ssor, once for the device (ssor.cu) and once for the host
// (ssor_host.cc). A place is that of a row in a ColorOrder.
namespace tessera
{
  /// Rows in slices of 32: entry k of lane l of slice s stands at
  /// (start[s] + k) 32 + l. Padding has the value 0 and its row's own place.
  template <class Number>
  struct SlicedRows
  {
    const std::int64_t *start; /// [n_slices + 1]
    const int *columns;        /// [start[n_slices]][32], places
    const Number *values;      /// [start[n_slices]][32]
  };

  /// The same to be filled.
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
    const int *place; /// [n_rows]
    const int *row;   /// [n_places], -1 where there is none
    int n_places;
    SlicesToFill<Number> lower, upper;
    Number *scale; /// [n_rows]
    Number relaxation;
  };

  /// Slices of one colour.
  struct SliceRange
  {
    int first;
    int n;
  };

  /// lower, upper = w / D_i A_ij by whether j comes before or after i in the
  /// order of places; scale_i = (2 - w) w / D_i. Padding is filled in.
  template <class Number>
  void
  fill_ssor(Cuda, const SsorFill<Number> &fill, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  fill_ssor(Target, const SsorFill<Number> &fill, Stream stream);

  /// y[place[i]] = scale_i r_i
  template <class Number>
  void
  import_ssor(Cuda, Number *y, const Number *r, const Number *scale,
              const int *place, int n_rows, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  import_ssor(Target, Number *y, const Number *r, const Number *scale,
              const int *place, int n_rows, Stream stream);

  /// z_i = y[place[i]]
  template <class Number>
  void
  export_ssor(Cuda, Number *z, const Number *y, const int *place, int n_rows,
              Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  export_ssor(Target, Number *z, const Number *y, const int *place, int n_rows,
              Stream stream);

  /// y_i -= sum over the entries of row i of a_ij y_j
  template <class Number>
  void
  sweep_ssor(Cuda, const SlicedRows<Number> &rows, Number *y, SliceRange slices,
             Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  sweep_ssor(Target, const SlicedRows<Number> &rows, Number *y,
             SliceRange slices, Stream stream);
} // namespace tessera
