#include "ssor.cuh"

namespace tessera
{
  namespace
  {
    /// Colours with at most this many slices are done by one thread, since the
    /// work takes less time than waking other threads.
    constexpr int few_slices = 32;
  } // namespace

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

#define INSTANTIATE(Number)                                                 \
  template void sweep_ssor<Number>(TESSERA_ISA, const SlicedRows<Number> &, \
                                   Number *, SliceRange, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
