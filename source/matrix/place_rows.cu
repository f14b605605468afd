#include <tessera/base/global_thread.cuh>

#include "place_rows.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128, tile = 8 * threads;

    /// Returns the row of an entry, which is one of first, ..., last.
    TESSERA_DEVICE int
    row_of(const std::int64_t *row_start, const std::int64_t entry, int first,
           int last)
    {
      while (first < last)
        {
          const int middle = first + (last - first + 1) / 2;
          if (row_start[middle] <= entry)
            first = middle;
          else
            last = middle - 1;
        }
      return first;
    }

    /// A block copies 1024 consecutive entries of any rows, so that long rows
    /// are shared by many blocks. It looks up the rows of its first and last
    /// entry, and every thread searches between these for the rows of its
    /// entries. Reads are coalesced. Bytes per entry: 2 sizeof(T), and more
    /// where the places written are spread over sectors.
    template <class T>
    TESSERA_KERNEL(threads, 1)
    void place_entries(TESSERA_ARGUMENT(RowPlaces<T>) places)
    {
      TESSERA_SHARED int ends[2];
      const std::int64_t n     = places.row_start[places.n_rows];
      const std::int64_t begin = std::int64_t(tile) * device::block_index();
      const std::int64_t end   = begin + tile < n ? begin + tile : n;
      const int thread         = device::thread_index();
      if (thread < 2 && begin < end)
        ends[thread] = row_of(places.row_start, thread == 0 ? begin : end - 1,
                              0, places.n_rows - 1);
      device::barrier();
      for (std::int64_t entry = begin + thread; entry < end; entry += threads)
        {
          const int row = row_of(places.row_start, entry, ends[0], ends[1]);
          const int k   = static_cast<int>(entry - places.row_start[row]);
          places.to[places.rows.position(row, k)] = places.from[entry];
        }
    }

    /// Copies with one thread per row: neighbours write to neighbouring places.
    template <class T>
    TESSERA_KERNEL(threads, 1)
    void place_whole_rows(TESSERA_ARGUMENT(RowPlaces<T>) places)
    {
      const std::int64_t row = global_thread<threads>();
      if (row >= places.n_rows)
        return;
      place_row(places, static_cast<int>(row));
      pad_row(places, static_cast<int>(row));
    }

    /// Writes the padding of rows, with one thread per row.
    template <class T>
    TESSERA_KERNEL(threads, 1)
    void place_padding(TESSERA_ARGUMENT(RowPlaces<T>) places)
    {
      const std::int64_t row = global_thread<threads>();
      if (row < places.n_rows)
        pad_row(places, static_cast<int>(row));
    }
  } // namespace


  template <class T>
  void
  place_rows_on_device(const RowPlaces<T> &places, const bool by_entries,
                       const std::int64_t n_entries, const Stream stream)
  {
    const Shape by_rows = shape_of_threads<threads>(places.n_rows);
    if (!by_entries)
      return launch(place_whole_rows<T>, by_rows, stream, places);
    launch(place_entries<T>, {(n_entries + tile - 1) / tile, threads}, stream,
           places);
    if (places.widths != nullptr || places.width > 0)
      launch(place_padding<T>, by_rows, stream, places);
  }


  template void
  place_rows_on_device<int>(const RowPlaces<int> &, bool, std::int64_t, Stream);
  template void
  place_rows_on_device<double>(const RowPlaces<double> &, bool, std::int64_t,
                               Stream);
  template void
  place_rows_on_device<float>(const RowPlaces<float> &, bool, std::int64_t,
                              Stream);
} // namespace tessera
