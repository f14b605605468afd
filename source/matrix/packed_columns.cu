#include <tessera/base/global_thread.cuh>

#include "packed_columns.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// A thread a line, which reads its columns and those of the line before,
    /// and alone writes what is said of it, or its words.
    template <LineWork work>
    TESSERA_KERNEL(threads, 1)
    void go_through_lines(TESSERA_ARGUMENT(PackedLines) packed)
    {
      const std::int64_t line = global_thread<threads>();
      if (line < packed.n_lines)
        work_on_line<work>(packed, line);
    }
  } // namespace


  template <LineWork work>
  void
  go_through_lines_on_device(const PackedLines &packed)
  {
    launch(go_through_lines<work>, shape_of_threads<threads>(packed.n_lines),
           {}, packed);
  }


  template void
  go_through_lines_on_device<LineWork::measure>(const PackedLines &);
  template void
  go_through_lines_on_device<LineWork::pack>(const PackedLines &);
} // namespace tessera
