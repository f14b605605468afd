#include <tessera/matrix/sell.h>

#include "row_operator.cuh"
#include "sell_kernels.h"

namespace tessera
{
  namespace
  {
    /// The sum of every lane of a slice: lanes of a vector are neighbouring
    /// ones. Goes through the padding, whose values are zero.
    template <class Number>
    TESSERA_HOST void
    sum_lanes(const SellApply<Number> &apply, const int slice, Number *sums)
    {
      const int n_lanes = 1 << apply.log2_lanes;
      for (int lane = 0; lane < n_lanes; ++lane)
        sums[lane] = Number(0);
      for (std::int64_t place = apply.slice_start[slice];
           place < apply.slice_start[slice + 1]; place += n_lanes)
        {
          const Number *const values = apply.values + place;
          const int *const columns   = apply.columns + place;
#pragma omp simd
          for (int lane = 0; lane < n_lanes; ++lane)
            sums[lane] += values[lane] * apply.rows.x[columns[lane]];
        }
    }

    /// Rows of a slice; returns their part of x . A x.
    template <class Number>
    TESSERA_HOST Number
    finish_slice(const SellApply<Number> &apply, const int slice, Number *sums)
    {
      const int log2  = apply.log2_threads[slice];
      const int first = apply.slice_rows[slice];
      Number energy   = Number(0);
      for (int sorted = first; sorted < apply.slice_rows[slice + 1]; ++sorted)
        {
          Number *const lanes = sums + ((sorted - first) << log2);
          for (int lane = 1; lane < 1 << log2; ++lane)
            lanes[0] += lanes[lane];
          const int row =
            apply.permutation != nullptr ? apply.permutation[sorted] : sorted;
          energy += finish_product(apply.rows, row, lanes[0]);
        }
      return energy;
    }
  } // namespace

  template <class Number, class Target, IfHost<Target>>
  void
  apply_sell(Target, const SellApply<Number> &apply, Stream)
  {
    for_each_block(apply.rows.sum, apply.n_slices, host_slices,
                   [&](const int first, const int last) {
                     Number sums[SellShape::most_lanes];
                     Number energy = Number(0);
                     for (int slice = first; slice < last; ++slice)
                       {
                         sum_lanes(apply, slice, sums);
                         energy += finish_slice(apply, slice, sums);
                       }
                     return energy;
                   });
  }

  template void
  apply_sell<double>(TESSERA_ISA, const SellApply<double> &, Stream);
  template void
  apply_sell<float>(TESSERA_ISA, const SellApply<float> &, Stream);
} // namespace tessera
