#include <tessera/base/global_thread.cuh>

#include "round_values.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// Rounds one value per thread to float and counts in `beyond` the finite
    /// values that exceed the largest float. Moves 12 bytes per value.
    TESSERA_KERNEL(threads, 1)
    void
    round_values(const double *from, float *to, const std::int64_t n,
                 unsigned int *beyond)
    {
      const std::int64_t i = global_thread<threads>();
      if (i >= n)
        return;
      const double value = from[i];
      to[i]              = static_cast<float>(value);
      if (is_beyond_float(value))
        device::atomic_increment(beyond);
    }
  } // namespace

  void
  round_values_on_device(const double *from, float *to, const std::int64_t n,
                         unsigned int *beyond, const Stream stream)
  {
    launch(round_values, shape_of_threads<threads>(n), stream, from, to, n,
           beyond);
  }
} // namespace tessera
