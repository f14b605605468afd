#include "ssor.cuh"

namespace tessera
{
  namespace
  {
    /// Colours with at most this many slices are done by one thread, since the
    /// work takes less time than waking other threads.
    constexpr int few_slices = 32;
  } // namespace

  template <class Number, class Target, IfHost<Target>>
  void
  fill_ssor(Target, const SsorFill<Number> &fill, Stream)
  {
#pragma omp parallel for schedule(static)
    for (int place = 0; place < fill.n_places; ++place)
      fill_place(fill, place);
  }

  template <class Number, class Target, IfHost<Target>>
  void
  import_ssor(Target, Number *y, const Number *r, const Number *scale,
              const int *place, const int n_rows, Stream)
  {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < n_rows; ++row)
      y[place[row]] = scale[row] * r[row];
  }

  template <class Number, class Target, IfHost<Target>>
  void
  export_ssor(Target, Number *z, const Number *y, const int *place,
              const int n_rows, Stream)
  {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < n_rows; ++row)
      z[row] = y[place[row]];
  }

  /// Works through one slice after the other, with its rows in the lanes of a
  /// vector.
  template <class Number, class Target, IfHost<Target>>
  void
  sweep_ssor(Target, const SlicedRows<Number> &rows, Number *y,
             const SliceRange slices, Stream)
  {
#pragma omp parallel for schedule(static) if (slices.n > few_slices)
    for (int slice = slices.first; slice < slices.first + slices.n; ++slice)
      {
        Number sum[slice_rows] = {};
        for (std::int64_t k = rows.start[slice]; k < rows.start[slice + 1]; ++k)
          {
            const Number *const values = rows.values + k * slice_rows;
            const int *const columns   = rows.columns + k * slice_rows;
#pragma omp simd
            for (int lane = 0; lane < slice_rows; ++lane)
              sum[lane] += values[lane] * y[columns[lane]];
          }
        Number *const own = y + std::int64_t(slice) * slice_rows;
        for (int lane = 0; lane < slice_rows; ++lane)
          own[lane] -= sum[lane];
      }
  }

#define INSTANTIATE(Number)                                                    \
  template void fill_ssor<Number>(TESSERA_ISA, const SsorFill<Number> &,       \
                                  Stream);                                     \
  template void import_ssor<Number>(TESSERA_ISA, Number *, const Number *,     \
                                    const Number *, const int *, int, Stream); \
  template void export_ssor<Number>(TESSERA_ISA, Number *, const Number *,     \
                                    const int *, int, Stream);                 \
  template void sweep_ssor<Number>(TESSERA_ISA, const SlicedRows<Number> &,    \
                                   Number *, SliceRange, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
