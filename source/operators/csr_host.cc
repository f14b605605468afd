#include "csr_entries_host.h"
#include "csr_kernels.h"
#include "row_operator.cuh"

namespace tessera
{
  namespace
  {
    /// The sum of the entries of a row of blocks, block by block.
    template <int b, class Number>
    TESSERA_HOST Number
    sum_blocks(const Number *values, const int *columns, const Number *const x,
               const std::int64_t n_blocks)
    {
      Number sums[b] = {};
      for (std::int64_t k = 0; k < n_blocks; ++k, values += b)
        {
          const Number *const from = x + std::int64_t(columns[k]) * b;
          for (int c = 0; c < b; ++c)
            sums[c] += values[c] * from[c];
        }
      Number sum = sums[0];
      for (int c = 1; c < b; ++c)
        sum += sums[c];
      return sum;
    }

    template <int b, class Number, class Offset>
    TESSERA_HOST void
    apply_blocks(const CsrApply<Number, Offset> &apply)
    {
      for_each_row_block(apply.rows, [&](const int first, const int last) {
        return finish_products(apply.rows, [&](const auto &finish) {
          for (int row = first; row < last; ++row)
            {
              const std::int64_t *const of_block = apply.block_start + row / b;
              finish(row,
                     sum_blocks<b>(apply.values + apply.row_start[row],
                                   apply.columns + of_block[0], apply.rows.x,
                                   of_block[1] - of_block[0]));
            }
        });
      });
    }
  } // namespace

  template <class Number, class Offset, class Target, IfHost<Target>>
  void
  apply_csr(Target, const CsrApply<Number, Offset> &apply, Stream)
  {
    if (apply.block == 2)
      return apply_blocks<2>(apply);
    if (apply.block == 3)
      return apply_blocks<3>(apply);
    for_each_row_block(apply.rows, [&](const int first, const int last) {
      return finish_products(apply.rows, [&](const auto &finish) {
        std::int64_t k = apply.row_start[first];
        for (int row = first; row < last; ++row)
          {
            const std::int64_t end = apply.row_start[row + 1];
            finish(row, sum_entries(apply.values + k, apply.columns + k,
                                    apply.rows.x, end - k));
            k = end;
          }
      });
    });
  }

#define INSTANTIATE(Number, Offset)        \
  template void apply_csr<Number, Offset>( \
    TESSERA_ISA, const CsrApply<Number, Offset> &, Stream);
  INSTANTIATE(double, std::int32_t)
  INSTANTIATE(double, std::int64_t)
  INSTANTIATE(float, std::int32_t)
  INSTANTIATE(float, std::int64_t)
#undef INSTANTIATE
} // namespace tessera
