#include <tessera/base/global_thread.cuh>

#include "place_rows.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// A thread a row.
    template <class T>
    TESSERA_KERNEL(threads, 1)
    void place_rows(TESSERA_ARGUMENT(RowPlaces<T>) places)
    {
      const std::int64_t row = global_thread<threads>();
      if (row < places.n_rows)
        place_row(places, static_cast<int>(row));
    }
  } // namespace


  template <class T>
  void
  place_rows_on_device(const RowPlaces<T> &places, const Stream stream)
  {
    launch(place_rows<T>, shape_of_threads<threads>(places.n_rows), stream,
           places);
  }


  template void
  place_rows_on_device<int>(const RowPlaces<int> &, Stream);
  template void
  place_rows_on_device<double>(const RowPlaces<double> &, Stream);
  template void
  place_rows_on_device<float>(const RowPlaces<float> &, Stream);
} // namespace tessera
