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

    /// Multiplies a slice of rows of b x b blocks; returns its part of
    /// x . A x. Goes through the padding, whose values are zero.
    template <int b, class Number>
    TESSERA_HOST double
    multiply_blocks(const SellBlocksApply<Number> &apply, const int slice)
    {
      const SellSlices &slices = apply.slices;
      const int n_lanes        = 1 << slices.log2_lanes;
      alignas(64) Number sums[b][SellShape::most_lanes];
      for (int i = 0; i < b; ++i)
        for (int lane = 0; lane < n_lanes; ++lane)
          sums[i][lane] = Number(0);
      for (std::int64_t place = slices.start[slice];
           place < slices.start[slice + 1]; place += n_lanes)
        {
          const int *const columns   = apply.columns + place;
          const Number *const values = apply.values + place * (b * b);
          for (int j = 0; j < b; ++j)
            {
              const Number *const line = values + j * b * n_lanes;
#pragma omp simd
              for (int lane = 0; lane < n_lanes; ++lane)
                {
                  const Number x = apply.rows.x[columns[lane] * b + j];
                  for (int i = 0; i < b; ++i)
                    sums[i][lane] += line[i * n_lanes + lane] * x;
                }
            }
        }
      double energy   = 0;
      const int first = slices.rows[slice];
      for (int sorted = first; sorted < slices.rows[slice + 1]; ++sorted)
        {
          const std::int64_t row =
            slices.permutation != nullptr ? slices.permutation[sorted] : sorted;
          for (int i = 0; i < b; ++i)
            energy +=
              finish_product(apply.rows, row * b + i, sums[i][sorted - first]);
        }
      return energy;
    }
  } // namespace

  template <class Number, class Target, IfHost<Target>>
  void
  apply_sell_blocks(Target, const SellBlocksApply<Number> &apply, Stream)
  {
    for_each_block(apply.rows.sum, apply.slices.n_slices, host_slices,
                   [&](const int first, const int last) {
                     double energy = 0;
                     for (int slice = first; slice < last; ++slice)
                       energy += apply.b == 2
                                   ? multiply_blocks<2>(apply, slice)
                                   : multiply_blocks<3>(apply, slice);
                     return energy;
                   });
  }

  template void
  apply_sell_blocks(TESSERA_ISA, const SellBlocksApply<double> &, Stream);
  template void
  apply_sell_blocks(TESSERA_ISA, const SellBlocksApply<float> &, Stream);

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
