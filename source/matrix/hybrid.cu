#include <tessera/base/global_thread.cuh>

#include "hybrid.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    // Both kernels have one thread per row.
    TESSERA_KERNEL(threads, 1)
    void
    count_kernel(const std::int32_t *lengths, const int n_rows, const int width,
                 int *entries, int *rows)
    {
      const std::int64_t row = global_thread<threads>();
      if (row >= n_rows)
        return;
      entries[row] = rest_of_row(lengths[row], width);
      rows[row]    = entries[row] > 0;
    }

    TESSERA_KERNEL(threads, 1)
    void
    fill_kernel(TESSERA_ARGUMENT(HybridPlaces) places)
    {
      const std::int64_t row = global_thread<threads>();
      if (row < places.n_rows)
        fill_hybrid(places, static_cast<int>(row));
    }
  } // namespace


  void
  count_rest_on_device(const std::int32_t *lengths, const int n_rows,
                       const int width, int *entries, int *rows)
  {
    launch(count_kernel, shape_of_threads<threads>(n_rows), {}, lengths, n_rows,
           width, entries, rows);
  }


  void
  fill_hybrid_on_device(const HybridPlaces &places)
  {
    launch(fill_kernel, shape_of_threads<threads>(places.n_rows), {}, places);
  }
} // namespace tessera
