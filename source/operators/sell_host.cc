#include "row_operator.cuh"
#include "sell_columns_host.h"

namespace tessera
{
  namespace
  {
    /// The sum of every lane of a slice: lanes of a vector are neighbouring
    /// ones. Goes through the padding, whose values are zero.
    template <class Number, class Columns, class Value>
    TESSERA_HOST void
    sum_lanes(const SellApply<Number, Columns, Value> &apply, const int slice,
              Number *sums)
    {
      const int n_lanes = 1 << apply.slices.log2_lanes;
      for (int lane = 0; lane < n_lanes; ++lane)
        sums[lane] = Number(0);
      LineReader<Columns> lines(apply, slice);
      for (std::int64_t place = apply.slices.start[slice];
           place < apply.slices.start[slice + 1]; place += n_lanes)
        {
          const Value *const values = apply.values + place;
          const int *const columns  = lines.next();
#pragma omp simd
          for (int lane = 0; lane < n_lanes; ++lane)
            sums[lane] +=
              static_cast<Number>(values[lane]) * apply.rows.x[columns[lane]];
        }
    }

    /// Rows of a slice; returns their part of x . A x.
    template <class Number, class Columns, class Value>
    TESSERA_HOST double
    finish_slice(const SellApply<Number, Columns, Value> &apply,
                 const int slice, Number *sums)
    {
      const SellSlices &slices = apply.slices;
      const int log2           = slices.log2_threads[slice];
      const int first          = slices.rows[slice];
      double energy            = 0;
      for (int sorted = first; sorted < slices.rows[slice + 1]; ++sorted)
        {
          Number *const lanes = sums + ((sorted - first) << log2);
          for (int lane = 1; lane < 1 << log2; ++lane)
            lanes[0] += lanes[lane];
          const int row =
            slices.permutation != nullptr ? slices.permutation[sorted] : sorted;
          energy += finish_product(apply.rows, row, lanes[0]);
        }
      return energy;
    }
  } // namespace

  template <class Number, class Columns, class Value, class Target,
            IfHost<Target>>
  void
  apply_sell(Target, const SellApply<Number, Columns, Value> &apply, Stream)
  {
    for_each_block(apply.rows.sum, apply.slices.n_slices, host_slices,
                   [&](const int first, const int last) {
                     alignas(64) Number sums[SellShape::most_lanes];
                     double energy = 0;
                     for (int slice = first; slice < last; ++slice)
                       {
                         sum_lanes(apply, slice, sums);
                         energy += finish_slice(apply, slice, sums);
                       }
                     return energy;
                   });
  }

  template void
  apply_sell(TESSERA_ISA, const SellApply<double> &, Stream);
  template void
  apply_sell(TESSERA_ISA, const SellApply<float> &, Stream);
#define INSTANTIATE(Number, b)          \
  template void apply_sell(TESSERA_ISA, \
                           const SellApply<Number, SellBlocks<b>> &, Stream);
  INSTANTIATE(double, 2)
  INSTANTIATE(double, 3)
  INSTANTIATE(float, 2)
  INSTANTIATE(float, 3)
#undef INSTANTIATE
  template void
  apply_sell(TESSERA_ISA, const SellApply<double, PackedColumns::View> &,
             Stream);
  template void
  apply_sell(TESSERA_ISA, const SellApply<float, PackedColumns::View> &,
             Stream);
  template void
  apply_sell(TESSERA_ISA, const SellApply<double, PackedColumns::View, float> &,
             Stream);
  template void
  apply_sell(TESSERA_ISA, const SellApply<double, ShortColumns::View> &,
             Stream);
  template void
  apply_sell(TESSERA_ISA, const SellApply<float, ShortColumns::View> &, Stream);
  template void
  apply_sell(TESSERA_ISA, const SellApply<double, ShortColumns::View, float> &,
             Stream);
} // namespace tessera
