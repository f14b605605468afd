#include <tessera/matrix/ell_layout.h>

#include "ell_kernels.h"
#include "row_operator.cuh"

namespace tessera
{
  namespace
  {
    constexpr int tile = ell_slice_rows;

    /// Says the columns of n rows whose blocks share indices, entry by entry.
    template <class Number>
    class ColumnsOfBlocks
    {
    public:
      TESSERA_HOST
      ColumnsOfBlocks(const EllApply<Number> &apply, const int first,
                      const int n)
        : b(apply.block), n(n)
      {
        for (int r = 0; r < n; ++r)
          index[r] = apply.columns + ell_base((first + r) / b, apply.width / b);
      }

      TESSERA_HOST const int *
      next()
      {
        for (int r = 0; r < n; ++r)
          columns[r] = of_block == 0 ? *index[r] * b : columns[r] + 1;
        for (int r = 0; of_block == 0 && r < n; ++r)
          index[r] += ell_slice_rows;
        of_block = of_block + 1 < b ? of_block + 1 : 0;
        return columns;
      }

    private:
      int b, n;
      int of_block = 0; ///< the next entry's place in its block
      const int *index[tile];
      int columns[tile];
    };

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
      longest        = longest < apply.width ? longest : apply.width;
      const auto add = [&](const int k, const int *const columns) {
        const Number *const values =
          apply.values + ell_place(first, k, apply.width);
#pragma omp simd
        for (int r = 0; r < n; ++r)
          sums[r] += values[r] * apply.rows.x[columns[r]];
      };
      if (apply.block > 1)
        {
          ColumnsOfBlocks<Number> columns(apply, first, n);
          for (int k = 0; k < longest; ++k)
            add(k, columns.next());
        }
      else
        for (int k = 0; k < longest; ++k)
          add(k, apply.columns + ell_place(first, k, apply.width));
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
