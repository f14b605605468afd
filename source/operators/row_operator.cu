#include <tessera/base/launch.h>

#include "row_operator.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// One thread a row searches its diagonal entry.
    template <class Number>
    TESSERA_KERNEL(threads)
    void diagonal(TESSERA_ARGUMENT(RowEntries<const Number>) matrix, Number *d)
    {
      const std::int64_t row =
        static_cast<std::int64_t>(device::block_index()) * threads +
        device::thread_index();
      if (row < matrix.n_rows)
        d[row] = diagonal_entry(matrix, static_cast<int>(row));
    }
  } // namespace

  template <class Number>
  void
  find_diagonal(Cuda, const RowEntries<const Number> &matrix, Number *d,
                const Stream stream)
  {
    launch(diagonal<Number>,
           {(static_cast<std::int64_t>(matrix.n_rows) + threads - 1) / threads,
            threads},
           stream, matrix, d);
  }

  template void
  find_diagonal<double>(Cuda, const RowEntries<const double> &, double *,
                        Stream);
  template void
  find_diagonal<float>(Cuda, const RowEntries<const float> &, float *, Stream);
} // namespace tessera
