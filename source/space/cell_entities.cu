#include <tessera/base/global_thread.cuh>
#include <tessera/space/cells.cuh>

#include "cell_entities_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int threads = 128, lanes = cells_per_batch;

    /// The node indices of the cells of one batch.
    template <class Number>
    struct BatchDofs
    {
      const int *dofs; ///< [n1][n1][lanes]
      int p;

      TESSERA_HOST_DEVICE
      BatchDofs(const EntityArrays<Number> &in, const std::int64_t batch)
        : dofs(in.cells.dofs +
               batch * (in.degree + 1) * (in.degree + 1) * lanes),
          p(in.degree)
      {}

      TESSERA_HOST_DEVICE int
      dof(const int lane, const int i0, const int i1) const
      {
        return read_only(dofs + (i1 * (p + 1) + i0) * lanes + lane);
      }

      TESSERA_HOST_DEVICE int
      vertex(const int lane, const int v) const
      {
        return dof(lane, v % 2 * p, v / 2 * p);
      }

      /// Returns the index of inner node k of a cell.
      TESSERA_HOST_DEVICE int
      inside(const int lane, const int k) const
      {
        return dof(lane, 1 + k % (p - 1), 1 + k / (p - 1));
      }

      /// Returns the index of node k on an edge, where k counts from one vertex
      /// (0) to the other (p).
      TESSERA_HOST_DEVICE int
      on_edge(const int lane, const int edge, const int k) const
      {
        const int across = edge % 2 * p;
        return edge < 2 ? dof(lane, across, k) : dof(lane, k, across);
      }
    };

    /// Writes the entity indices of every cell and the InnerNodes of every
    /// batch, and counts the cells in to.n_misfits whose indices do not have
    /// this form. One thread per cell, padding included. Bytes per cell: 4
    /// (p+1)^2 read, 32 (p = 2) or 36 written. The result is repeatable.
    template <class Number>
    TESSERA_KERNEL(threads, 1)
    void write_indices(TESSERA_ARGUMENT(EntityArrays<Number>) to)
    {
      const std::int64_t c     = global_thread<threads>();
      const std::int64_t batch = c / lanes;
      if (batch >= to.n_batches)
        return;
      const int lane = static_cast<int>(c % lanes), p = to.degree;
      const BatchDofs<Number> in(to, batch);
      const std::int64_t left = to.cells.n_cells - batch * lanes;
      InnerNodes inner{in.inside(0, 0), 0, 0,
                       static_cast<int>(left < 0       ? 0
                                        : left < lanes ? left
                                                       : lanes)};
      if (p > 2)
        inner.per_node = in.inside(0, 1) - inner.first;
      if (inner.n_cells > 1)
        inner.per_lane = in.inside(1, 0) - inner.first;
      if (lane == 0)
        to.inner[batch] = inner;
      bool fits = true;
      if (lane < inner.n_cells)
        for (int k = 0; k < (p - 1) * (p - 1); ++k)
          fits = fits && in.inside(lane, k) == inner.first +
                                                 k * inner.per_node +
                                                 lane * inner.per_lane;

      int *const entries     = to.indices + batch * to.n_entries * lanes + lane;
      unsigned int distances = 0;
      for (int k = 0; k < 4; ++k)
        {
          const int first          = in.on_edge(lane, k, 1);
          entries[k * lanes]       = in.vertex(lane, k);
          entries[(4 + k) * lanes] = first;
          if (p == 2)
            continue;
          const int distance = in.on_edge(lane, k, 2) - first;
          fits               = fits && distance >= -128 && distance <= 127;
          for (int j = 3; j < p; ++j)
            fits = fits && in.on_edge(lane, k, j) == first + (j - 1) * distance;
          distances |= (static_cast<unsigned int>(distance) & 255u) << 8 * k;
        }
      if (p > 2)
        entries[8 * lanes] = static_cast<int>(distances);
      if (!fits)
        device::atomic_add(to.n_misfits, 1);
    }

    /// Writes the coordinates of the vertices of every cell to the places of
    /// their degrees of freedom. If `check`, it instead counts in to.n_misfits
    /// the coordinates that differ from those written there. One thread per
    /// cell. Bytes per cell: the indices of the vertices and of their degrees
    /// of freedom (32) and four points are read, and four points written or
    /// read again. Several cells write the same value to one place, so the
    /// result is repeatable.
    template <bool check, class Number>
    TESSERA_KERNEL(threads, 1)
    void write_vertices(TESSERA_ARGUMENT(EntityArrays<Number>) to)
    {
      const std::int64_t c = global_thread<threads>();
      if (c >= to.cells.n_cells)
        return;
      const DeviceCell<Number> cell(to.cells, c);
      const BatchDofs<Number> in(to, cell.batch);
      Number x[4][2];
      cell.vertices(to.cells, x);
      for (int v = 0; v < 4; ++v)
        for (int d = 0; d < 2; ++d)
          {
            Number &at = to.coordinates[2 * static_cast<std::int64_t>(
                                              in.vertex(cell.lane, v)) +
                                        d];
            if (!check)
              at = x[v][d];
            else if (at != x[v][d])
              device::atomic_add(to.n_misfits, 1);
          }
      if (!check && c == 0) // the unit square for padding cells
        for (int v = 0; v < 4; ++v)
          for (int d = 0; d < 2; ++d)
            to.coordinates[2 *
                             (static_cast<std::int64_t>(to.padding_index) + v) +
                           d] = static_cast<Number>(v >> d & 1);
    }
  } // namespace

  template <class Number>
  void
  write_entities(const EntityArrays<Number> &to)
  {
    launch(write_indices<Number>,
           shape_of_threads<threads>(std::int64_t(to.n_batches) * lanes), {},
           to);
  }

  template <class Number>
  void
  write_entity_coordinates(const EntityArrays<Number> &to)
  {
    const auto shape = shape_of_threads<threads>(to.cells.n_cells);
    launch(write_vertices<false, Number>, shape, {}, to);
    launch(write_vertices<true, Number>, shape, {}, to);
  }

#define INSTANTIATE(Number)                                   \
  template void write_entities(const EntityArrays<Number> &); \
  template void write_entity_coordinates(const EntityArrays<Number> &);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
