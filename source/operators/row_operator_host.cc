#include "row_operator.cuh"

namespace tessera
{
  template <class Number, class Target, IfHost<Target>>
  void
  find_diagonal(Target, const RowEntries<const Number> &matrix, Number *d,
                Stream)
  {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < matrix.n_rows; ++row)
      d[row] = diagonal_entry(matrix, row);
  }

  template void
  find_diagonal<double>(TESSERA_ISA, const RowEntries<const double> &, double *,
                        Stream);
  template void
  find_diagonal<float>(TESSERA_ISA, const RowEntries<const float> &, float *,
                       Stream);
} // namespace tessera
