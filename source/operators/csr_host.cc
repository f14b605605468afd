#include "csr_kernels.h"

namespace tessera
{
  template <class Number, class Offset, class Target, IfHost<Target>>
  void
  apply_csr(Target, const CsrApply<Number, Offset> &apply, Stream)
  {
    const bool dot     = apply.sum.result != nullptr;
    const int n_blocks = csr_host_blocks(apply.n_rows);
#pragma omp parallel for schedule(static)
    for (int block = 0; block < n_blocks; ++block)
      {
        const int first = block * csr_host_rows;
        const int last  = apply.n_rows - first < csr_host_rows
                            ? apply.n_rows
                            : first + csr_host_rows;
        Number energy   = Number(0);
        for (int row = first; row < last; ++row)
          {
            Number sum = Number(0);
            for (Offset k = apply.row_start[row]; k < apply.row_start[row + 1];
                 ++k)
              sum += apply.values[k] * apply.x[apply.columns[k]];
            apply.y[row] = apply.add ? apply.y[row] + sum : sum;
            energy += apply.x[row] * sum;
          }
        if (dot)
          apply.sum.partial[block] = energy;
      }
    if (dot)
      {
        Number total = Number(0);
        for (int block = 0; block < n_blocks; ++block)
          total += apply.sum.partial[block];
        *apply.sum.result = total;
      }
  }

  template <class Number, class Offset, class Target, IfHost<Target>>
  void
  csr_diagonal(Target, const CsrApply<Number, Offset> &apply, Stream)
  {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < apply.n_rows; ++row)
      {
        Number d = Number(0);
        for (Offset k = apply.row_start[row]; k < apply.row_start[row + 1]; ++k)
          if (apply.columns[k] == row)
            d = apply.values[k];
        apply.y[row] = d;
      }
  }

#define INSTANTIATE(Number, Offset)                         \
  template void apply_csr<Number, Offset>(                  \
    TESSERA_ISA, const CsrApply<Number, Offset> &, Stream); \
  template void csr_diagonal<Number, Offset>(               \
    TESSERA_ISA, const CsrApply<Number, Offset> &, Stream);
  INSTANTIATE(double, std::int32_t)
  INSTANTIATE(double, std::int64_t)
  INSTANTIATE(float, std::int32_t)
  INSTANTIATE(float, std::int64_t)
#undef INSTANTIATE
} // namespace tessera
