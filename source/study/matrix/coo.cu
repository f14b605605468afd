#include <tessera/base/global_thread.cuh>

#include "coo_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// Writes the row numbers of the entries, with one warp per row.
    TESSERA_KERNEL(threads, 1)
    void
    fill_kernel(TESSERA_ARGUMENT(CooRows) in)
    {
      const std::int64_t row = global_thread<threads>() / 32;
      if (row >= in.n_rows)
        return;
      const int lane           = device::thread_index() % 32;
      const std::int64_t begin = in.row_start[row];
      const std::int64_t end   = in.row_start[row + 1];
      for (std::int64_t k = begin + lane; k < end; k += 32)
        in.rows[k] = static_cast<int>(row);
      if (lane == 0)
        in.some[row] = end > begin;
    }
  } // namespace


  void
  fill_coo_on_device(const CooRows &rows)
  {
    launch(fill_kernel, shape_of_threads<threads>(32ll * rows.n_rows), {},
           rows);
  }
} // namespace tessera
