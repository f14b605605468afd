#include <tessera/base/for_each.cuh>

#include "elimination.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads         = 256;
    constexpr int threads_per_row = 8;

    /// Eliminates with 8 neighbouring threads per row. Reads a column index and
    /// a flag for every entry, and values only where they change. The result is
    /// repeatable, because the order of sums is fixed.
    template <class Number>
    TESSERA_KERNEL(threads)
    void eliminate_rows(TESSERA_ARGUMENT(Elimination<Number>) system)
    {
      const std::int64_t thread = global_thread<threads>();
      const int part            = static_cast<int>(thread % threads_per_row);
      const bool there = thread / threads_per_row < system.matrix.n_rows;
      const int row    = there ? static_cast<int>(thread / threads_per_row) : 0;
      Number sum       = Number(0);
      if (there)
        sum = eliminate_in_row(system, row, part, threads_per_row);
      for (int offset = threads_per_row / 2; offset > 0; offset /= 2)
        sum += device::shuffle_down(sum, offset, threads_per_row);
      if (there && part == 0)
        finish_row(system, row, sum);
    }
  } // namespace

  template <class Number>
  void
  eliminate(Cuda, const Elimination<Number> &system, const Stream stream)
  {
    constexpr std::int64_t rows_per_block = threads / threads_per_row;
    launch(
      eliminate_rows<Number>,
      {(system.matrix.n_rows + rows_per_block - 1) / rows_per_block, threads},
      stream, system);
  }

  TESSERA_FOR_EACH(IdentityEntry<double>)
  TESSERA_FOR_EACH(IdentityEntry<float>)
  template void
  eliminate<double>(Cuda, const Elimination<double> &, Stream);
  template void
  eliminate<float>(Cuda, const Elimination<float> &, Stream);
} // namespace tessera
