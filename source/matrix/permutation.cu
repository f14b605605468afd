#include <tessera/base/global_thread.cuh>

#include "permutation_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = 256;

    /// Permutes with one thread per entry.
    template <class Number>
    TESSERA_KERNEL(threads, 1)
    void permute(Number *to, const Number *from, const int *order, const int n)
    {
      const std::int64_t i = global_thread<threads>();
      if (i < n)
        to[i] = from[order[i]];
    }
  } // namespace


  template <class Number>
  void
  permute_on_device(Number *to, const Number *from, const int *order,
                    const int n, const Stream stream)
  {
    launch(permute<Number>, shape_of_threads<threads>(n), stream, to, from,
           order, n);
  }


  template void
  permute_on_device(double *, const double *, const int *, int, Stream);
  template void
  permute_on_device(float *, const float *, const int *, int, Stream);
} // namespace tessera
