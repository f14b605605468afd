#include "../../operators/row_operator.cuh"
#include "csr_padded_kernels.h"

namespace tessera
{
  template <class Number, class Target, IfHost<Target>>
  void
  apply_csr_padded(Target, const CsrPaddedApply<Number> &apply, Stream)
  {
    constexpr int group = csr_padded_group;
    for_each_row_block(apply.rows, [&](const int first, const int last) {
      return finish_products(apply.rows, [&](const auto &finish) {
        for (int row = first; row < last; ++row)
          {
            Number sums[group] = {}; // one for each entry of a group
            for (std::int64_t k = apply.row_start[row];
                 k < apply.row_start[row + 1]; k += group)
              {
#pragma omp simd
                for (int i = 0; i < group; ++i)
                  sums[i] +=
                    apply.values[k + i] * apply.rows.x[apply.columns[k + i]];
              }
            finish(row, (sums[0] + sums[1]) + (sums[2] + sums[3]));
          }
      });
    });
  }

  template void
  apply_csr_padded<double>(TESSERA_ISA, const CsrPaddedApply<double> &, Stream);
  template void
  apply_csr_padded<float>(TESSERA_ISA, const CsrPaddedApply<float> &, Stream);
} // namespace tessera
