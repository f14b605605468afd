#include <tessera/space/host_scatter.h>

#include "boundary_terms.cuh"
#include "boundary_terms_kernels.h"
#include <tessera/assembly/reserve_places.h>

namespace tessera
{
  namespace
  {
    constexpr int max_nodes =
      n_nodes(CellType::quadrilateral, max_degree(CellType::quadrilateral));

    template <class Number>
    TESSERA_HOST void
    add_to(Number *to, const Number value, const Conflict conflict)
    {
      if (conflict == Conflict::atomics)
        {
#pragma omp atomic
          *to += value;
        }
      else
        *to += value;
    }

    /// Lanes one after another: faces of a batch may share entries.
    template <class Cells, class Number>
    TESSERA_HOST void
    add_to_node(const Cells &batch, const CellApply<Number> &apply, const int i,
                const typename Cells::Value value)
    {
      const int *dofs =
        apply.cells.dofs + batch.place(apply.cells.n_dofs_per_cell, i);
      for (int lane = 0; lane < Cells::lanes; ++lane)
        add_to(apply.y + dofs[lane], value[lane], apply.conflict);
    }

    template <class Cells, class Number, class Work>
    TESSERA_HOST void
    for_each_face_batch(const CellApply<Number> &apply, double *partial,
                        const Work &work)
    {
      for_each_batch(
        apply.blocks, apply.batches_per_block, apply.conflict, partial,
        [&](const std::int64_t index) { return work(Cells(index)); });
    }

    template <class Cells, class Number>
    TESSERA_HOST double
    multiply(const Cells &batch, const CellApply<Number> &apply,
             const FaceMatrices<Number> &matrices)
    {
      using Value = typename Cells::Value;
      const int n = apply.cells.n_dofs_per_cell;
      Value u[max_nodes], energy(Number(0));
      for (int i = 0; i < n; ++i)
        for (int lane = 0; lane < Cells::lanes; ++lane)
          u[i].set(lane, apply.x[apply.cells.dofs[batch.place(n, i) + lane]]);
      for (int i = 0; i < n; ++i)
        {
          Value sum(Number(0));
          for (int j = 0; j < n; ++j)
            sum += face_entry(batch, matrices.values, n, i, j) * u[j];
          sum *= Value(matrices.factor);
          energy += sum * u[i];
          add_to_node(batch, apply, i, sum);
        }
      double total = 0;
      for (int lane = 0; lane < Cells::lanes; ++lane)
        total += energy[lane];
      return total;
    }
  } // namespace

  template <class Number, class Target, IfHost<Target>>
  void
  add_boundary_load_on(Target, const CellApply<Number> &apply,
                       const FaceView<Number> &load, const Route route, Stream)
  {
    using Cells = HostCells<Target, Number>;
    for_each_face_batch<Cells>(
      apply, static_cast<double *>(nullptr), [&](const Cells &batch) {
        for (int i = 0; i < load.n; ++i)
          if (const auto value = face_load(batch, load, i);
              route == Route::gather)
            batch.store(apply.y, load.n, i, value);
          else
            add_to_node(batch, apply, i, value);
        return Number(0);
      });
  }

  template <class Number, class Target, IfHost<Target>>
  void
  compute_face_matrices_on(Target, const CellApply<Number> &faces,
                           const FaceView<Number> &mass, Number *values, Stream)
  {
    using Cells = HostCells<Target, Number>;
    const int n = mass.n;
    for_each_face_batch<Cells>(
      faces, static_cast<double *>(nullptr), [&](const Cells &batch) {
        for (int i = 0; i < n; ++i)
          for (int j = i; j < n; ++j)
            batch.store(values, n_local_entries(true, n),
                        local_entry(true, n, i, j),
                        face_mass(batch, mass, i, j));
        return Number(0);
      });
  }

  template <class Number, class Target, IfHost<Target>>
  void
  apply_face_matrices_on(Target, const CellApply<Number> &apply,
                         const FaceMatrices<Number> &matrices, Stream)
  {
    using Cells     = HostCells<Target, Number>;
    const int n     = apply.cells.n_dofs_per_cell;
    double *partial = apply.sum.result == nullptr
                        ? nullptr
                        : apply.sum.partial + matrices.first_partial;
    for_each_face_batch<Cells>(apply, partial, [&](const Cells &batch) {
      if (!matrices.diagonal)
        return multiply(batch, apply, matrices);
      for (int i = 0; i < n; ++i)
        add_to_node(batch, apply, i,
                    face_entry(batch, matrices.values, n, i, i));
      return 0.;
    });
  }

  template <class Number, class Target, IfHost<Target>>
  void
  add_face_rows_on(Target, const CellApply<Number> &faces, const Number *values,
                   const SlotSink<Number> &sink, Stream)
  {
    using Cells = HostCells<Target, Number>;
    const int n = faces.cells.n_dofs_per_cell;
    for_each_face_batch<Cells>(
      faces, static_cast<double *>(nullptr), [&](const Cells &batch) {
        for (int k = 0; k < n * n; ++k)
          {
            const auto entry = face_entry(batch, values, n, k / n, k % n);
            const int *dofs  = faces.cells.dofs + batch.place(n, k / n);
            for (int lane = 0; lane < Cells::lanes; ++lane)
              if (Number *to = slot_address(sink, dofs[lane],
                                            batch.place(n * n, k) + lane))
                add_to(to, entry[lane], faces.conflict);
          }
        return Number(0);
      });
  }

  template <class Number, class Target, IfHost<Target>>
  void
  append_face_rows_on(Target, const CellApply<Number> &faces,
                      const Number *values, const AppendSink<Number> &sink,
                      Stream)
  {
    using Cells = HostCells<Target, Number>;
    const int n = faces.cells.n_dofs_per_cell;
    for_each_face_batch<Cells>(
      faces, static_cast<double *>(nullptr), [&](const Cells &batch) {
        const int *dofs = faces.cells.dofs + batch.place(n, 0);
        for (int k = 0; k < n * Cells::lanes; ++k)
          if (const int row = dofs[k]; row < sink.n_rows)
            {
              const int i = k / Cells::lanes, lane = k % Cells::lanes;
              const int start =
                reserve_places(sink.lengths + row, n, faces.conflict);
              for (int j = 0; j < n; ++j)
                sink.write(row, start + j, dofs[j * Cells::lanes + lane],
                           face_entry(batch, values, n, i, j)[lane], true);
            }
        return Number(0);
      });
  }

#define INSTANTIATE(Number)                                                  \
  template void add_boundary_load_on<Number>(                                \
    TESSERA_ISA, const CellApply<Number> &, const FaceView<Number> &, Route, \
    Stream);                                                                 \
  template void compute_face_matrices_on<Number>(                            \
    TESSERA_ISA, const CellApply<Number> &, const FaceView<Number> &,        \
    Number *, Stream);                                                       \
  template void apply_face_matrices_on<Number>(                              \
    TESSERA_ISA, const CellApply<Number> &, const FaceMatrices<Number> &,    \
    Stream);                                                                 \
  template void add_face_rows_on<Number>(                                    \
    TESSERA_ISA, const CellApply<Number> &, const Number *,                  \
    const SlotSink<Number> &, Stream);                                       \
  template void append_face_rows_on<Number>(                                 \
    TESSERA_ISA, const CellApply<Number> &, const Number *,                  \
    const AppendSink<Number> &, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
