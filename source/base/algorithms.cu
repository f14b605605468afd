#include <tessera/base/for_each.cuh>

#include "algorithms.cuh"

namespace tessera
{
  namespace
  {
    constexpr int width = algorithms::neighbours;

    /// A block reads width^2 values by rows, a thread adds up one row, and the
    /// first thread the sums of all rows.
    TESSERA_KERNEL(width)
    void
    sum_kernel(const double *const values, const std::int64_t n,
               double *const sums)
    {
      TESSERA_SHARED double rows[width][width + 1]; // a row begins in a bank
      TESSERA_SHARED double row_sums[width];
      const int thread = device::thread_index();
      const std::int64_t first =
        static_cast<std::int64_t>(width) * width * device::block_index();
      const std::int64_t left = n - first;
      const int n_of_block =
        static_cast<int>(left < width * width ? left : width * width);
      for (int k = thread; k < n_of_block; k += width)
        rows[k / width][thread] = values[first + k];
      device::barrier();
      const int of_row = n_of_block - thread * width;
      double sum       = 0;
      for (int k = 0; k < of_row && k < width; ++k)
        sum += rows[thread][k];
      row_sums[thread] = sum;
      device::barrier();
      if (thread > 0)
        return;
      sum = 0;
      for (int row = 0; row * width < n_of_block; ++row)
        sum += row_sums[row];
      sums[device::block_index()] = sum;
    }
  } // namespace


  void
  algorithms::sum_neighbours(const double *const values, const std::int64_t n,
                             double *const sums)
  {
    const std::int64_t n_blocks = (n + width * width - 1) / (width * width);
    launch(sum_kernel, {n_blocks > 0 ? n_blocks : 1, width}, {}, values, n,
           sums);
  }


  TESSERA_FOR_EACH(algorithms::Numbering)
  TESSERA_FOR_EACH(algorithms::StartOfGroup)
} // namespace tessera
