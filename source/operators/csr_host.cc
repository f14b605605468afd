#include "csr_kernels.h"
#include "row_operator.cuh"

namespace tessera
{
  namespace
  {
    /// From so many entries on a row is summed up in four parts: each addition
    /// to a single sum waits for the one before, which takes as long as four
    /// entries. Shorter rows overlap with the next ones.
    constexpr int long_row = 32;

    /// Entries `k` to `end` times x.
    template <class Number, class Offset>
    TESSERA_HOST Number
    sum_entries(const Number *const values, const int *const columns,
                const Number *const x, Offset k, const Offset end)
    {
      Number sum = Number(0);
      if (end - k >= long_row)
        {
          Number second = Number(0), third = Number(0), fourth = Number(0);
          for (; k + 4 <= end; k += 4)
            {
              sum += values[k] * x[columns[k]];
              second += values[k + 1] * x[columns[k + 1]];
              third += values[k + 2] * x[columns[k + 2]];
              fourth += values[k + 3] * x[columns[k + 3]];
            }
          sum = (sum + second) + (third + fourth);
        }
      for (; k < end; ++k)
        sum += values[k] * x[columns[k]];
      return sum;
    }
  } // namespace

  template <class Number, class Offset, class Target, IfHost<Target>>
  void
  apply_csr(Target, const CsrApply<Number, Offset> &apply, Stream)
  {
    for_each_row_block(apply.rows, [&](const int first, const int last) {
      Number energy = Number(0);
      for (int row = first; row < last; ++row)
        {
          const Number sum =
            sum_entries(apply.values, apply.columns, apply.rows.x,
                        apply.row_start[row], apply.row_start[row + 1]);
          energy += finish_product(apply.rows, row, sum);
        }
      return energy;
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
