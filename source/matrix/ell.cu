#include <tessera/base/global_thread.cuh>

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
      const std::int64_t row = global_thread<threads>();
      if (row < places.n_rows)
        fill_places(places, static_cast<int>(row));
    }
  } // namespace


  void
  fill_places_on_device(const EllPlaces &places)
  {
    launch(fill_places_kernel, shape_of_threads<threads>(places.n_rows), {},
           places);
  }
} // namespace tessera
