#include "elimination.cuh"

namespace tessera
{
  template <class Number, class Target, IfHost<Target>>
  void
  eliminate(Target, const Elimination<Number> &system, Stream)
  {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < system.matrix.n_rows; ++row)
      finish_row(system, row, eliminate_in_row(system, row, 0, 1));
  }

  template void
  eliminate<double>(TESSERA_ISA, const Elimination<double> &, Stream);
  template void
  eliminate<float>(TESSERA_ISA, const Elimination<float> &, Stream);
} // namespace tessera
