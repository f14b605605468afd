#include "ssor_cells.cuh"

namespace tessera
{
  namespace
  {
    /// The threshold of ssor_host.cc, but smaller, since a row takes longer
    /// here.
    constexpr int few_slices = 8;
  } // namespace

  template <class Number, class Target, IfHost<Target>>
  void
  sweep_ssor(Target, const CellSweep<Number> &sweep, Stream)
  {
    const int first = sweep.slices.first * slice_rows;
    const int last  = first + sweep.slices.n * slice_rows;
#pragma omp parallel for schedule(static) if (sweep.slices.n > few_slices)
    for (int place = first; place < last; ++place)
      sweep_row(sweep, place);
  }

#define INSTANTIATE(Number)                                                \
  template void sweep_ssor<Number>(TESSERA_ISA, const CellSweep<Number> &, \
                                   Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
