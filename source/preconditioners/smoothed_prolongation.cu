#include <tessera/base/for_each.cuh>

#include "smoothed_prolongation.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    struct LanesOfWarp
    {
      static constexpr int count = 32;
      int index;

      /// Returns the value of a lane.
      TESSERA_HOST_DEVICE double
      value_of(const int lane, const double value) const
      {
#if defined(__CUDACC__) && !defined(__CUDA_ARCH__)
        return lane == index ? value : 0; // not called
#else
        return device::shuffle(value, lane);
#endif
      }
    };

    TESSERA_KERNEL(threads)
    void
    orthonormalize_kernel(TESSERA_ARGUMENT(OrthonormalizeAggregate) work,
                          const std::int64_t n)
    {
      const std::int64_t aggregate = global_thread<threads>() / 32;
      if (aggregate < n)
        work.orthonormalize(LanesOfWarp{device::thread_index() % 32},
                            aggregate);
    }
  } // namespace


  void
  orthonormalize_on_device(const OrthonormalizeAggregate &work,
                           const std::int64_t n)
  {
    launch(orthonormalize_kernel, shape_of_threads<threads>(32 * n), {}, work,
           n);
  }


  TESSERA_FOR_EACH(BeginLanczos)
  TESSERA_FOR_EACH(LanczosDirection)
  TESSERA_FOR_EACH(LanczosProduct)
  TESSERA_FOR_EACH(LanczosStep)
  TESSERA_FOR_EACH(HasAggregate)
  TESSERA_FOR_EACH(ColumnOfAggregate)
  TESSERA_FOR_EACH(SmoothRow)
} // namespace tessera
