#include <tessera/base/device.cuh>
#include <tessera/base/launch.h>

#include "jacobi_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = 256;

    TESSERA_DEVICE std::int64_t
    entry_of_thread()
    {
      return static_cast<std::int64_t>(device::block_index()) * threads +
             device::thread_index();
    }

    template <class Number>
    TESSERA_KERNEL(threads)
    void invert(Number *d, const std::int64_t n)
    {
      const std::int64_t i = entry_of_thread();
      if (i < n)
        d[i] = Number(1) / d[i];
    }

    /// 3 numbers an entry are moved.
    template <class Number>
    TESSERA_KERNEL(threads)
    void scale(Number *z, const Number *d, const Number *r,
               const std::int64_t n)
    {
      const std::int64_t i = entry_of_thread();
      if (i < n)
        z[i] = d[i] * r[i];
    }

    Shape
    shape(const std::int64_t n)
    {
      return {(n + threads - 1) / threads, threads};
    }
  } // namespace

  template <class Number>
  void
  invert_entries(Cuda, Number *d, const std::int64_t n, const Stream stream)
  {
    launch(invert<Number>, shape(n), stream, d, n);
  }

  template <class Number>
  void
  scale_entries(Cuda, Number *z, const Number *d, const Number *r,
                const std::int64_t n, const Stream stream)
  {
    launch(scale<Number>, shape(n), stream, z, d, r, n);
  }

#define INSTANTIATE(Number)                                                   \
  template void invert_entries<Number>(Cuda, Number *, std::int64_t, Stream); \
  template void scale_entries<Number>(Cuda, Number *, const Number *,         \
                                      const Number *, std::int64_t, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
