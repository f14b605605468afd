#include <tessera/base/launch.h>
#include <tessera/space/device_cells.cuh>

#include "../../assembly/boundary_terms.cuh"
#include "append_faces.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = CellData<double>::device_threads;

    /// Appends rows of matrices of faces to rows, one thread a face. A face
    /// reads m (m + 1) / 2 numbers, adds to m lengths and writes at most m m
    /// entries. With colours, the faces of a block take turns, and the result
    /// is repeatable; padding has no rows.
    template <class Number>
    TESSERA_KERNEL(threads)
    void append_faces(TESSERA_ARGUMENT(CellApply<Number>) faces,
                      const Number *matrices, const int b,
                      TESSERA_ARGUMENT(AppendSink<Number>) sink)
    {
      const int n        = faces.cells.n_dofs_per_cell;
      const int m        = n * b;
      const int *dofs    = faces.cells.dofs;
      const auto face    = cell_of_thread(faces.cells, faces.blocks);
      const bool colored = faces.conflict == Conflict::coloring;
      const int mine    = colored ? face.load(faces.cells.cell_color, 1, 0) : 0;
      const int n_turns = colored ? faces.cells.n_cell_colors : 1;
      TESSERA_ROLLED
      for (int turn = 0; turn < n_turns; ++turn)
        {
          TESSERA_ROLLED
          for (int i = 0; turn == mine && i < m; ++i)
            if (const int row = b * face.load(dofs, n, i % n) + i / n;
                row < sink.n_rows)
              {
                const int start =
                  device::atomic_fetch_add(sink.lengths + row, m);
                TESSERA_ROLLED
                for (int j = 0; j < m; ++j)
                  sink.write(row, start + j,
                             b * face.load(dofs, n, j % n) + j / n,
                             face_entry(face, matrices, m, i, j), true);
              }
          device::barrier();
        }
    }
  } // namespace

  template <class Number>
  void
  append_face_rows_on(Cuda, const CellApply<Number> &faces,
                      const Number *matrices, const int b,
                      const AppendSink<Number> &sink, const Stream stream)
  {
    launch(append_faces<Number>, {faces.blocks.n_blocks, threads}, stream,
           faces, matrices, b, sink);
  }

#define INSTANTIATE(Number)                               \
  template void append_face_rows_on<Number>(              \
    Cuda, const CellApply<Number> &, const Number *, int, \
    const AppendSink<Number> &, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
