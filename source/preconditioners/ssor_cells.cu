#include <tessera/base/for_each.cuh>

#include "ssor_cells.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128;

    /// Computes the sweep of CellSweep for the rows of one colour. A warp takes
    /// a slice and a lane takes a row. Neighbouring lanes have rows of the same
    /// colour, so they belong to neighbouring cells, and to different nodes of
    /// these where colours alternate; then every number is read in a sector of
    /// its own. No row of the launch reads what another one writes. Cells are
    /// added before faces, in the order in which they are listed, so the result
    /// is repeatable. Bytes for each cell of a row: 4 for its part, 4 n for
    /// places, and 8 (4 in float) for each node on this side; in addition 24
    /// per row for factor and y.
    template <class Number>
    TESSERA_KERNEL(threads)
    void sweep_cells(TESSERA_ARGUMENT(CellSweep<Number>) sweep)
    {
      const std::int64_t at = global_thread<threads>();
      if (at < std::int64_t(sweep.slices.n) * slice_rows)
        sweep_row(sweep, static_cast<int>(
                           std::int64_t(sweep.slices.first) * slice_rows + at));
    }
  } // namespace

  template <class Number>
  void
  sweep_ssor(Cuda, const CellSweep<Number> &sweep, const Stream stream)
  {
    launch(sweep_cells<Number>,
           shape_of_threads<threads>(std::int64_t(sweep.slices.n) * slice_rows),
           stream, sweep);
  }

#define INSTANTIATE(Number)            \
  TESSERA_FOR_EACH(SsorScales<Number>) \
  template void sweep_ssor<Number>(Cuda, const CellSweep<Number> &, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
