#include <tessera/base/for_each.cuh>

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
  } // namespace


  template <class T>
  void
  place_entries_on_device(const RowPlaces<T> &places,
                          const std::int64_t n_entries, const Stream stream)
  {
    launch(place_entries<T>, {(n_entries + tile - 1) / tile, threads}, stream,
           places);
  }


#define INSTANTIATE(T)                                                      \
  template void place_entries_on_device(const RowPlaces<T> &, std::int64_t, \
                                        Stream);                            \
  TESSERA_FOR_EACH(PlaceRow<T>)                                             \
  TESSERA_FOR_EACH(PlacePadding<T>)
  INSTANTIATE(int)
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
