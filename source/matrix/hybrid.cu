#include <tessera/base/launch.h>

#include "hybrid.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    TESSERA_DEVICE std::int64_t
    row_of_thread()
    {
      return static_cast<std::int64_t>(device::block_index()) * threads +
             device::thread_index();
    }

    Shape
    shape(const int n_rows)
    {
      return {(static_cast<std::int64_t>(n_rows) + threads - 1) / threads,
              threads};
    }

    // A thread a row.
    TESSERA_KERNEL(threads, 1)
    void
    measure_kernel(const std::int64_t *row_start, const int n_rows,
                   std::int32_t *lengths)
    {
      const std::int64_t row = row_of_thread();
      if (row < n_rows)
        lengths[row] = static_cast<int>(row_start[row + 1] - row_start[row]);
    }

    TESSERA_KERNEL(threads, 1)
    void
    count_kernel(const std::int32_t *lengths, const int n_rows, const int width,
                 int *entries, int *rows)
    {
      const std::int64_t row = row_of_thread();
      if (row >= n_rows)
        return;
      entries[row] = rest_of_row(lengths[row], width);
      rows[row]    = entries[row] > 0;
    }

    TESSERA_KERNEL(threads, 1)
    void
    fill_kernel(TESSERA_ARGUMENT(HybridPlaces) places)
    {
      const std::int64_t row = row_of_thread();
      if (row < places.ell.n_rows)
        fill_hybrid(places, static_cast<int>(row));
    }
  } // namespace


  void
  measure_rows_on_device(const std::int64_t *row_start, const int n_rows,
                         std::int32_t *lengths)
  {
    launch(measure_kernel, shape(n_rows), {}, row_start, n_rows, lengths);
  }


  void
  count_rest_on_device(const std::int32_t *lengths, const int n_rows,
                       const int width, int *entries, int *rows)
  {
    launch(count_kernel, shape(n_rows), {}, lengths, n_rows, width, entries,
           rows);
  }


  void
  fill_hybrid_on_device(const HybridPlaces &places)
  {
    launch(fill_kernel, shape(places.ell.n_rows), {}, places);
  }
} // namespace tessera
