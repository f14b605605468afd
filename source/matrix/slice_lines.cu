#include <tessera/base/global_thread.cuh>

#include "packed_columns.cuh"
#include "short_columns.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// One thread per line. It reads the line's columns, and for gaps those of
    /// the line before; no other thread writes the results of the line.
    template <class Work>
    TESSERA_KERNEL(threads, 1)
    void work_on_lines(TESSERA_ARGUMENT(Work) work)
    {
      const std::int64_t line = global_thread<threads>();
      if (line < work.n_lines)
        work_on_line(work, line);
    }
  } // namespace


  template <class Work>
  void
  go_through_lines_on_device(const Work &work)
  {
    launch(work_on_lines<Work>, shape_of_threads<threads>(work.n_lines), {},
           work);
  }


  template void
  go_through_lines_on_device(const MeasureGaps &);
  template void
  go_through_lines_on_device(const PackGaps &);
  template void
  go_through_lines_on_device(const MeasureReach &);
  template void
  go_through_lines_on_device(const ShortenColumns &);
} // namespace tessera
