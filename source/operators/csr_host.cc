#include "csr_entries_host.h"
#include "csr_kernels.h"
#include "row_operator.cuh"

namespace tessera
{
  template <class Number, class Offset, class Target, IfHost<Target>>
  void
  apply_csr(Target, const CsrApply<Number, Offset> &apply, Stream)
  {
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
