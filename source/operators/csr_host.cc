#include "csr_kernels.h"
#include "row_operator.cuh"

namespace tessera
{
  template <class Number, class Offset, class Target, IfHost<Target>>
  void
  apply_csr(Target, const CsrApply<Number, Offset> &apply, Stream)
  {
    for_each_row_block(apply.rows, [&](const int first, const int last) {
      Number energy = Number(0);
      for (int row = first; row < last; ++row)
        {
          Number sum = Number(0);
          for (Offset k = apply.row_start[row]; k < apply.row_start[row + 1];
               ++k)
            sum += apply.values[k] * apply.rows.x[apply.columns[k]];
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
