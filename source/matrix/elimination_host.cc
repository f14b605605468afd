#include "elimination.cuh"

namespace tessera
{
  template <class Number, class Offset, class Target, IfHost<Target>>
  void
  eliminate(Target, const Elimination<Number, Offset> &system, Stream)
  {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < system.n_rows; ++row)
      finish_row(system, row,
                 eliminate_in_row(system, row, system.row_start[row],
                                  system.row_start[row + 1], 1));
  }

#define INSTANTIATE(Number, Offset)        \
  template void eliminate<Number, Offset>( \
    TESSERA_ISA, const Elimination<Number, Offset> &, Stream);
  INSTANTIATE(double, std::int32_t)
  INSTANTIATE(double, std::int64_t)
  INSTANTIATE(float, std::int32_t)
  INSTANTIATE(float, std::int64_t)
#undef INSTANTIATE
} // namespace tessera
