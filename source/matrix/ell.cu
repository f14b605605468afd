#include <tessera/base/launch.h>

#include "ell.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// A thread a row.
    TESSERA_KERNEL(threads, 1)
    void
    fill_places_kernel(TESSERA_ARGUMENT(EllPlaces) places)
    {
      const std::int64_t row =
        static_cast<std::int64_t>(device::block_index()) * threads +
        device::thread_index();
      if (row < places.n_rows)
        fill_places(places, static_cast<int>(row));
    }
  } // namespace


  void
  fill_places_on_device(const EllPlaces &places)
  {
    launch(fill_places_kernel,
           {(static_cast<std::int64_t>(places.n_rows) + threads - 1) / threads,
            threads},
           {}, places);
  }
} // namespace tessera
