#include "vector_loops.h"
#include "vector_operations_kernels.h"

namespace tessera
{
  template <class Target, IfHost<Target>>
  int
  vector_blocks(Target, const std::int64_t n)
  {
    return blocks_of_entries(n);
  }

  template <class Number, class Target, IfHost<Target>>
  void
  combine_vectors(Target, const VectorData<Number> &data, Stream)
  {
    const Number a = data.a, b = data.b;
    const Number *const x = data.x;
    Number *const y       = data.y;
    if (b == Number(0))
      {
#pragma omp parallel for simd schedule(static)
        for (std::int64_t i = 0; i < data.n; ++i)
          y[i] = a * x[i];
      }
    else
      {
#pragma omp parallel for simd schedule(static)
        for (std::int64_t i = 0; i < data.n; ++i)
          y[i] = a * x[i] + b * y[i];
      }
  }

  template <class Number, class Target, IfHost<Target>>
  void
  dot_vectors(Target target, const VectorData<Number> &data, Stream)
  {
    sum_over_blocks(
      target, data.n, {data.sum},
      [&](const std::int64_t first, const std::int64_t last, Number *sums) {
        Number sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::int64_t i = first; i < last; ++i)
          sum += data.x[i] * data.z[i];
        sums[0] = sum;
      });
  }

  template <class Number, class Target, IfHost<Target>>
  void
  add_and_dot_vectors(Target target, const VectorData<Number> &data, Stream)
  {
    sum_over_blocks(
      target, data.n, {data.sum},
      [&](const std::int64_t first, const std::int64_t last, Number *sums) {
        Number sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::int64_t i = first; i < last; ++i)
          {
            const Number y = data.y[i] + data.a * data.x[i];
            data.y[i]      = y;
            sum += y * data.z[i]; // z may be y
          }
        sums[0] = sum;
      });
  }

  template <class Number, class Target, IfHost<Target>>
  void
  count_nonzeros(Target target, const VectorData<Number> &data, Stream)
  {
    sum_over_blocks(
      target, data.n, {data.sum},
      [&](const std::int64_t first, const std::int64_t last, Number *sums) {
        Number sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::int64_t i = first; i < last; ++i)
          sum += data.x[i] == Number(0) ? Number(0) : Number(1);
        sums[0] = sum;
      });
  }

  template int vector_blocks(TESSERA_ISA, std::int64_t);

#define INSTANTIATE(Number)                                                  \
  template void combine_vectors<Number>(TESSERA_ISA,                         \
                                        const VectorData<Number> &, Stream); \
  template void dot_vectors<Number>(TESSERA_ISA, const VectorData<Number> &, \
                                    Stream);                                 \
  template void add_and_dot_vectors<Number>(                                 \
    TESSERA_ISA, const VectorData<Number> &, Stream);                        \
  template void count_nonzeros<Number>(TESSERA_ISA,                          \
                                       const VectorData<Number> &, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
