#include <tessera/space/host_scatter.h>

#include "boundary_terms.cuh"
#include "boundary_terms_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int max_rows =
      3 * n_nodes(CellType::quadrilateral, max_degree(CellType::quadrilateral));

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

    /// The indices of row i in a vector of b components, lane by lane.
    template <class Number>
    struct RowOfBatch
    {
      const int *dofs;
      int b, component;

      template <class Cells>
      TESSERA_HOST
      RowOfBatch(const Cells &batch, const CellView<Number> &cells, const int b,
                 const int i)
        : dofs(cells.dofs +
               batch.place(cells.n_dofs_per_cell, i % cells.n_dofs_per_cell)),
          b(b), component(i / cells.n_dofs_per_cell)
      {}

      TESSERA_HOST int
      operator[](const int lane) const
      {
        return b * dofs[lane] + component;
      }
    };

    /// Lanes one after another: faces of a batch may share entries.
    template <class Cells, class Number>
    TESSERA_HOST void
    add_to_row(const Cells &batch, const CellApply<Number> &apply, const int b,
               const int i, const typename Cells::Value value)
    {
      const RowOfBatch<Number> row(batch, apply.cells, b, i);
      for (int lane = 0; lane < Cells::lanes; ++lane)
        add_to(apply.y + row[lane], value[lane], apply.conflict);
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
      const int b = matrices.n_components;
      const int m = apply.cells.n_dofs_per_cell * b;
      Value u[max_rows], energy(Number(0));
      for (int i = 0; i < m; ++i)
        {
          const RowOfBatch<Number> row(batch, apply.cells, b, i);
          for (int lane = 0; lane < Cells::lanes; ++lane)
            u[i].set(lane, apply.x[row[lane]]);
        }
      for (int i = 0; i < m; ++i)
        {
          Value sum(Number(0));
          for (int j = 0; j < m; ++j)
            sum += face_entry(batch, matrices.values, m, i, j) * u[j];
          sum *= Value(matrices.factor);
          energy += sum * u[i];
          add_to_row(batch, apply, b, i, sum);
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
            add_to_row(batch, apply, 1, i, value);
        return Number(0);
      });
  }

  template <class Number, class Target, IfHost<Target>>
  void
  compute_face_matrices_on(Target, const CellApply<Number> &faces,
                           const FaceView<Number> &mass, Number *values, Stream)
  {
    using Cells = HostCells<Target, Number>;
    const int m = mass.n * mass.n_components;
    for_each_face_batch<Cells>(
      faces, static_cast<double *>(nullptr), [&](const Cells &batch) {
        for (int i = 0; i < m; ++i)
          for (int j = i; j < m; ++j)
            batch.store(values, n_local_entries(true, m),
                        local_entry(true, m, i, j),
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
    const int b     = matrices.n_components;
    const int m     = apply.cells.n_dofs_per_cell * b;
    double *partial = apply.sum.result == nullptr
                        ? nullptr
                        : apply.sum.partial + matrices.first_partial;
    for_each_face_batch<Cells>(apply, partial, [&](const Cells &batch) {
      if (!matrices.diagonal)
        return multiply(batch, apply, matrices);
      for (int i = 0; i < m; ++i)
        add_to_row(batch, apply, b, i,
                   face_entry(batch, matrices.values, m, i, i));
      return 0.;
    });
  }

  template <class Number, class Target, IfHost<Target>>
  void
  add_face_rows_on(Target, const CellApply<Number> &faces,
                   const FaceMatrices<Number> &matrices,
                   const SlotSink<Number> &sink, Stream)
  {
    using Cells = HostCells<Target, Number>;
    const int b = matrices.n_components;
    const int n = faces.cells.n_dofs_per_cell, m = n * b;
    for_each_face_batch<Cells>(
      faces, static_cast<double *>(nullptr), [&](const Cells &batch) {
        for (int k = 0; k < m * m; ++k)
          {
            const int i = k / m, j = k % m;
            const auto entry = face_entry(batch, matrices.values, m, i, j);
            const RowOfBatch<Number> row(batch, faces.cells, b, i);
            for (int lane = 0; lane < Cells::lanes; ++lane)
              if (Number *to = slot_address(
                    sink, row[lane],
                    batch.place(n * n, i % n * n + j % n) + lane, b, j / n))
                add_to(to, entry[lane], faces.conflict);
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
    TESSERA_ISA, const CellApply<Number> &, const FaceMatrices<Number> &,    \
    const SlotSink<Number> &, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
