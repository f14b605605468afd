#include "jacobi_kernels.h"

namespace tessera
{
  template <class Number, class Target, IfHost<Target>>
  void
  invert_entries(Target, Number *d, const std::int64_t n, Stream)
  {
#pragma omp parallel for simd schedule(static)
    for (std::int64_t i = 0; i < n; ++i)
      d[i] = Number(1) / d[i];
  }

  template <class Number, class Target, IfHost<Target>>
  void
  scale_entries(Target, Number *z, const Number *d, const Number *r,
                const std::int64_t n, Stream)
  {
#pragma omp parallel for simd schedule(static)
    for (std::int64_t i = 0; i < n; ++i)
      z[i] = d[i] * r[i];
  }

#define INSTANTIATE(Number)                                                  \
  template void invert_entries<Number>(TESSERA_ISA, Number *, std::int64_t,  \
                                       Stream);                              \
  template void scale_entries<Number>(TESSERA_ISA, Number *, const Number *, \
                                      const Number *, std::int64_t, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
