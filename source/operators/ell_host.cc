#include <tessera/matrix/ell_layout.h>

#include "ell_kernels.h"
#include "row_operator.cuh"

namespace tessera
{
  namespace
  {
    constexpr int tile = ell_slice_rows;

    /// Returns the columns of entry k of n rows whose blocks share indices.
    template <class Number>
    TESSERA_HOST const int *
    columns_of_blocks(const EllApply<Number> &apply, const int first,
                      const int n, const int k, int (&columns)[tile])
    {
      const int b = apply.block;
      for (int r = 0; r < n; ++r)
        columns[r] =
          apply.columns[ell_place((first + r) / b, k / b, apply.width / b)] *
            b +
          k % b;
      return columns;
    }

    /// Sums of rows `first` to `last` of a slice, entry by entry: lanes of a
    /// vector are neighbouring rows. Goes through the padding of all rows but
    /// the longest, whose values are zero.
    template <class Number>
    TESSERA_HOST void
    multiply_tile(const EllApply<Number> &apply, const int first,
                  const int last, Number (&sums)[tile])
    {
      const int n = last - first;
      int longest = 0;
      for (int r = 0; r < n; ++r)
        {
          const int length = apply.lengths[first + r];
          longest          = longest < length ? length : longest;
          sums[r]          = Number(0);
        }
      longest = longest < apply.width ? longest : apply.width;
      for (int k = 0; k < longest; ++k)
        {
          const std::int64_t place = ell_place(first, k, apply.width);
          const Number *values     = apply.values + place;
          const int *columns       = apply.columns + place;
          int of_blocks[tile];
          if (apply.block > 1)
            columns = columns_of_blocks(apply, first, n, k, of_blocks);
#pragma omp simd
          for (int r = 0; r < n; ++r)
            sums[r] += values[r] * apply.rows.x[columns[r]];
        }
      for (int r = 0; apply.rest != nullptr && r < n; ++r)
        {
          const std::int64_t rest =
            ell_base(first + r, apply.width) + apply.rest[first + r];
          for (int k = apply.width; k < apply.lengths[first + r]; ++k)
            sums[r] +=
              apply.values[rest + k] * apply.rows.x[apply.columns[rest + k]];
        }
    }
  } // namespace

  template <class Number, class Target, IfHost<Target>>
  void
  apply_ell(Target, const EllApply<Number> &apply, Stream)
  {
    for_each_row_block(apply.rows, [&](const int first, const int last) {
      double energy = 0;
      for (int begin = first; begin < last; begin += tile)
        {
          const int end = last - begin < tile ? last : begin + tile;
          Number sums[tile];
          multiply_tile(apply, begin, end, sums);
          for (int row = begin; row < end; ++row)
            energy += finish_product(apply.rows, row, sums[row - begin]);
        }
      return energy;
    });
  }

  template void
  apply_ell<double>(TESSERA_ISA, const EllApply<double> &, Stream);
  template void
  apply_ell<float>(TESSERA_ISA, const EllApply<float> &, Stream);
} // namespace tessera
