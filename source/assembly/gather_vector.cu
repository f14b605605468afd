#include <tessera/base/global_thread.cuh>

#include "gather_vector_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// A thread an entry of y: 8 bytes and the entry read, it written, and 4
    /// bytes and a number read for every cell around it. Repeatable.
    template <class Number>
    TESSERA_KERNEL(threads, 16)
    void add_rows(TESSERA_ARGUMENT(GatherEntries<Number>) rows, Number *y)
    {
      const std::int64_t row = global_thread<threads>();
      if (row < rows.n_rows)
        y[row] += rows.sum(static_cast<int>(row));
    }
  } // namespace

  template <class Number>
  void
  add_gathered(const GatherEntries<Number> &rows, Number *y,
               const Stream stream)
  {
    launch(add_rows<Number>, shape_of_threads<threads>(rows.n_rows), stream,
           rows, y);
  }

  template void
  add_gathered(const GatherEntries<double> &, double *, Stream);
  template void
  add_gathered(const GatherEntries<float> &, float *, Stream);
} // namespace tessera
