#include <tessera/space/host_scatter.h>

#include "../../assembly/boundary_terms.cuh"
#include "append_faces.h"

namespace tessera
{
  template <class Number, class Target, IfHost<Target>>
  void
  append_face_rows_on(Target, const CellApply<Number> &faces,
                      const Number *matrices, const int b,
                      const AppendSink<Number> &sink, Stream)
  {
    using Cells = HostCells<Target, Number>;
    const int n = faces.cells.n_dofs_per_cell, m = n * b;
    for_each_batch(
      faces.blocks, faces.batches_per_block, faces.conflict,
      static_cast<double *>(nullptr), [&](const std::int64_t index) {
        const Cells batch(index);
        const auto row_of = [&](const int i, const int lane) {
          return b * faces.cells.dofs[batch.place(n, i % n) + lane] + i / n;
        };
        for (int k = 0; k < m * Cells::lanes; ++k)
          {
            const int i = k / Cells::lanes, lane = k % Cells::lanes;
            const int row = row_of(i, lane);
            if (row >= sink.n_rows)
              continue;
            const int start =
              reserve_places(sink.lengths + row, m, faces.conflict);
            for (int j = 0; j < m; ++j)
              sink.write(row, start + j, row_of(j, lane),
                         face_entry(batch, matrices, m, i, j)[lane], true);
          }
        return 0.;
      });
  }

#define INSTANTIATE(Number)                                      \
  template void append_face_rows_on<Number>(                     \
    TESSERA_ISA, const CellApply<Number> &, const Number *, int, \
    const AppendSink<Number> &, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
