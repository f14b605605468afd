#include <tessera/base/global_thread.cuh>

#include "row_operator.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// Searches the diagonal entries, one thread per row.
    template <class Number>
    TESSERA_KERNEL(threads)
    void diagonal(TESSERA_ARGUMENT(RowEntries<const Number>) matrix, Number *d)
    {
      const std::int64_t row = global_thread<threads>();
      if (row < matrix.n_rows)
        d[row] = diagonal_entry(matrix, static_cast<int>(row));
    }
  } // namespace

  template <class Number>
  void
  find_diagonal(Cuda, const RowEntries<const Number> &matrix, Number *d,
                const Stream stream)
  {
    launch(diagonal<Number>, shape_of_threads<threads>(matrix.n_rows), stream,
           matrix, d);
  }

  template void
  find_diagonal<double>(Cuda, const RowEntries<const double> &, double *,
                        Stream);
  template void
  find_diagonal<float>(Cuda, const RowEntries<const float> &, float *, Stream);
} // namespace tessera
