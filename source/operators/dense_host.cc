#include "dense_kernels.h"
#include "row_operator.cuh"

namespace tessera
{
  template <class Number, class Target, IfHost<Target>>
  void
  apply_dense(Target, const DenseApply<Number> &apply, Stream)
  {
    for_each_block(
      apply.rows.sum, apply.rows.n_rows, dense_host_rows,
      [&](const int first, const int last) {
        return finish_products(apply.rows, [&](const auto &finish) {
          const int n           = apply.n_columns;
          const Number *const x = apply.rows.x;
          for (int row = first; row < last; ++row)
            {
              const Number *const values =
                apply.values + static_cast<std::int64_t>(row) * n;
              Number sum = Number(0);
#pragma omp simd reduction(+ : sum)
              for (int column = 0; column < n; ++column)
                sum += values[column] * x[column];
              finish(row, sum);
            }
        });
      });
  }

  template void
  apply_dense<double>(TESSERA_ISA, const DenseApply<double> &, Stream);
  template void
  apply_dense<float>(TESSERA_ISA, const DenseApply<float> &, Stream);
} // namespace tessera
