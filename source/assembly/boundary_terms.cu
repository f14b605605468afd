#include <tessera/base/launch.h>
#include <tessera/space/device_cells.cuh>

#include "boundary_terms.cuh"
#include "boundary_terms_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = CellData<double>::device_threads;

    /// Calls `work(add)` once a thread, where add(to, value) keeps threads
    /// apart: by atomics, or by turns of the colours of a block's faces, with a
    /// barrier after each turn. All threads of a block take part.
    template <class Number, class Work>
    TESSERA_DEVICE void
    in_turns(const DeviceCell<Number> &face, const CellApply<Number> &apply,
             const Work &work)
    {
      if (apply.conflict == Conflict::atomics)
        work([](auto *to, const auto value) { device::atomic_add(to, value); });
      else
        {
          const int mine = face.load(apply.cells.cell_color, 1, 0);
          TESSERA_ROLLED
          for (int color = 0; color < apply.cells.n_cell_colors; ++color)
            {
              if (color == mine)
                work([](auto *to, const auto value) { *to += value; });
              device::barrier();
            }
        }
    }

    /// y_i += sum_q load_q phi_i(q), one thread a face. A face reads 4 n bytes
    /// and nq numbers, and adds to n; or writes n. Repeatable with colours, or
    /// where they are gathered.
    template <class Number>
    TESSERA_KERNEL(threads)
    void load(TESSERA_ARGUMENT(CellApply<Number>) apply,
              TESSERA_ARGUMENT(FaceView<Number>) view, const Route route)
    {
      const auto face = cell_of_thread(apply.cells, apply.blocks);
      if (route == Route::gather)
        {
          TESSERA_ROLLED
          for (int i = 0; i < view.n; ++i)
            face.store(apply.y, view.n, i, face_load(face, view, i));
          return;
        }
      in_turns(face, apply, [&](const auto &add) {
        TESSERA_ROLLED
        for (int i = 0; i < view.n; ++i)
          add(apply.y + face.load(apply.cells.dofs, view.n, i),
              face_load(face, view, i));
      });
    }

    /// values = matrices of faces of m = n b rows, one thread a face;
    /// nq b (b + 1) / 2 numbers are read and m (m + 1) / 2 written, coalesced.
    /// Repeatable.
    template <class Number>
    TESSERA_KERNEL(threads)
    void compute(TESSERA_ARGUMENT(CellApply<Number>) faces,
                 TESSERA_ARGUMENT(FaceView<Number>) view, Number *values)
    {
      const auto face = cell_of_thread(faces.cells, faces.blocks);
      const int m     = view.n * view.n_components;
      TESSERA_ROLLED
      for (int i = 0; i < m; ++i)
        {
          TESSERA_ROLLED
          for (int j = i; j < m; ++j)
            face.store(values, n_local_entries(true, m),
                       local_entry(true, m, i, j), face_mass(face, view, i, j));
        }
    }

    /// y_i += factor sum_j M_ij x_j, or M_ii, one thread a face. A face reads
    /// 4 n bytes, m (m + 1) / 2 numbers and m of x, and adds to m. Repeatable
    /// with colours.
    template <class Number>
    TESSERA_KERNEL(threads)
    void product(TESSERA_ARGUMENT(CellApply<Number>) apply,
                 TESSERA_ARGUMENT(FaceMatrices<Number>) matrices)
    {
      const int b      = matrices.n_components;
      const int n      = apply.cells.n_dofs_per_cell;
      const int m      = n * b;
      const auto face  = cell_of_thread(apply.cells, apply.blocks);
      const int *dofs  = apply.cells.dofs;
      Number of_thread = Number(0);
      in_turns(face, apply, [&](const auto &add) {
        TESSERA_ROLLED
        for (int i = 0; i < m; ++i)
          {
            const int row = b * face.load(dofs, n, i % n) + i / n;
            Number sum    = Number(0);
            if (matrices.diagonal)
              sum = face_entry(face, matrices.values, m, i, i);
            else
              {
                TESSERA_ROLLED
                for (int j = 0; j < m; ++j)
                  sum +=
                    face_entry(face, matrices.values, m, i, j) *
                    read_only(apply.x + b * face.load(dofs, n, j % n) + j / n);
                sum *= matrices.factor;
                of_thread += sum * read_only(apply.x + row);
              }
            add(apply.y + row, sum);
          }
      });
      if (apply.sum.result != nullptr)
        device::leave_sum<threads>(of_thread,
                                   matrices.first_partial + apply.blocks.first +
                                     device::block_index(),
                                   apply.sum);
    }

    /// Adds matrices of faces to rows, one thread a face. A face reads
    /// m (m + 1) / 2 numbers and m m slots, and adds to at most m m entries.
    /// Repeatable with colours.
    template <class Number>
    TESSERA_KERNEL(threads)
    void add_rows(TESSERA_ARGUMENT(CellApply<Number>) faces,
                  TESSERA_ARGUMENT(FaceMatrices<Number>) matrices,
                  TESSERA_ARGUMENT(SlotSink<Number>) sink)
    {
      const int b     = matrices.n_components;
      const int n     = faces.cells.n_dofs_per_cell;
      const int m     = n * b;
      const auto face = cell_of_thread(faces.cells, faces.blocks);
      in_turns(face, faces, [&](const auto &add) {
        TESSERA_ROLLED
        for (int k = 0; k < m * m; ++k)
          {
            const int i = k / m, j = k % m;
            if (Number *to = slot_address(
                  sink, b * face.load(faces.cells.dofs, n, i % n) + i / n,
                  face.place(n * n, i % n * n + j % n), b, j / n))
              add(to, face_entry(face, matrices.values, m, i, j));
          }
      });
    }

    template <class Number>
    Shape
    shape(const CellApply<Number> &apply)
    {
      return {apply.blocks.n_blocks, threads};
    }
  } // namespace

  template <class Number>
  void
  add_boundary_load_on(Cuda, const CellApply<Number> &apply,
                       const FaceView<Number> &view, const Route route,
                       const Stream stream)
  {
    launch(load<Number>, shape(apply), stream, apply, view, route);
  }

  template <class Number>
  void
  compute_face_matrices_on(Cuda, const CellApply<Number> &faces,
                           const FaceView<Number> &mass, Number *values,
                           const Stream stream)
  {
    launch(compute<Number>, shape(faces), stream, faces, mass, values);
  }

  template <class Number>
  void
  apply_face_matrices_on(Cuda, const CellApply<Number> &apply,
                         const FaceMatrices<Number> &matrices,
                         const Stream stream)
  {
    launch(product<Number>, shape(apply), stream, apply, matrices);
  }

  template <class Number>
  void
  add_face_rows_on(Cuda, const CellApply<Number> &faces,
                   const FaceMatrices<Number> &matrices,
                   const SlotSink<Number> &sink, const Stream stream)
  {
    launch(add_rows<Number>, shape(faces), stream, faces, matrices, sink);
  }

#define INSTANTIATE(Number)                                                    \
  template void add_boundary_load_on<Number>(                                  \
    Cuda, const CellApply<Number> &, const FaceView<Number> &, Route, Stream); \
  template void compute_face_matrices_on<Number>(                              \
    Cuda, const CellApply<Number> &, const FaceView<Number> &, Number *,       \
    Stream);                                                                   \
  template void apply_face_matrices_on<Number>(                                \
    Cuda, const CellApply<Number> &, const FaceMatrices<Number> &, Stream);    \
  template void add_face_rows_on<Number>(Cuda, const CellApply<Number> &,      \
                                         const FaceMatrices<Number> &,         \
                                         const SlotSink<Number> &, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
