#include <tessera/base/global_thread.cuh>

#include "jacobi_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = 256;

    /// Computes d_i = 1 / d_i with one thread per entry. Moves 2 numbers per
    /// entry.
    template <class Number>
    TESSERA_KERNEL(threads)
    void invert(Number *d, const std::int64_t n)
    {
      const std::int64_t i = global_thread<threads>();
      if (i < n)
        d[i] = Number(1) / d[i];
    }

    /// Computes z_i = d_i r_i with one thread per entry. Moves 3 numbers per
    /// entry.
    template <class Number>
    TESSERA_KERNEL(threads)
    void scale(Number *z, const Number *d, const Number *r,
               const std::int64_t n)
    {
      const std::int64_t i = global_thread<threads>();
      if (i < n)
        z[i] = d[i] * r[i];
    }

  } // namespace

  template <class Number>
  void
  invert_entries(Cuda, Number *d, const std::int64_t n, const Stream stream)
  {
    launch(invert<Number>, shape_of_threads<threads>(n), stream, d, n);
  }

  template <class Number>
  void
  scale_entries(Cuda, Number *z, const Number *d, const Number *r,
                const std::int64_t n, const Stream stream)
  {
    launch(scale<Number>, shape_of_threads<threads>(n), stream, z, d, r, n);
  }

#define INSTANTIATE(Number)                                                   \
  template void invert_entries<Number>(Cuda, Number *, std::int64_t, Stream); \
  template void scale_entries<Number>(Cuda, Number *, const Number *,         \
                                      const Number *, std::int64_t, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
