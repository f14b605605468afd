#pragma once

#include <tessera/space/cells.cuh>

// The device cells in this header know the local indices of their nodes:
// index(i) returns the index of node i, and `vertices` the coordinates of the
// vertices. A call of `reread` makes the compiler read the indices once more,
// so that they occupy no registers in between; `next_row` does the same between
// rows of nodes.
namespace tessera
{
  /// A cell with one index per node in memory.
  template <class E, class Number>
  struct IndexedCell : DeviceCell<Number>
  {
    const int *dofs;

    TESSERA_HOST_DEVICE
    IndexedCell(const DeviceCell<Number> &cell, const CellView<Number> &view)
      : DeviceCell<Number>(cell), dofs(view.dofs)
    {}

    TESSERA_HOST_DEVICE void
    reread()
    {
      forget(this->lane);
    }

    TESSERA_HOST_DEVICE void
    next_row()
    {
      reread();
    }

    TESSERA_HOST_DEVICE int
    index(const int i) const
    {
      return this->load(dofs, E::n, i);
    }
  };

  /// A quadrilateral whose node indices are computed from entity indices; see
  /// CellEntities.
  template <class E, class Number>
  struct EntityCell : DeviceCell<Number>
  {
    static constexpr int n_entries = CellEntities<Number>::n_entries(E::degree);

    EntityView<Number> view;
    int at_vertex[4], on_edge[4], distances;
    int inner, inner_distance;
    bool padding;

    TESSERA_HOST_DEVICE
    EntityCell(const DeviceCell<Number> &cell, const CellView<Number> &cells)
      : DeviceCell<Number>(cell), view(cells.entities)
    {
      read();
    }

    TESSERA_HOST_DEVICE void
    reread()
    {
      forget(this->lane);
      read();
    }

    TESSERA_HOST_DEVICE void
    next_row() const
    {}

    TESSERA_HOST_DEVICE int
    index(const int i) const
    {
      constexpr int p = E::degree;
      const int i0 = i % E::n1, i1 = i / E::n1;
      const bool at_end_0 = i0 % p == 0, at_end_1 = i1 % p == 0;
      if (at_end_0 && at_end_1)
        return at_vertex[i0 / p + 2 * (i1 / p)];
      if (at_end_0)
        return node_on_edge(i0 / p, i1);
      if (at_end_1)
        return node_on_edge(2 + i1 / p, i0);
      return inner + ((i1 - 1) * (p - 1) + i0 - 1) * inner_distance;
    }

    TESSERA_HOST_DEVICE void
    vertices(const CellView<Number> &, Number (&x)[4][2]) const
    {
      TESSERA_UNROLL
      for (int v = 0; v < 4; ++v)
        read_point(view.coordinates + 2 * static_cast<std::int64_t>(
                                            at_vertex[v] + (padding ? v : 0)),
                   x[v]);
    }

  private:
    TESSERA_HOST_DEVICE void
    read()
    {
      TESSERA_UNROLL
      for (int k = 0; k < 4; ++k)
        {
          at_vertex[k] = this->load(view.indices, n_entries, k);
          on_edge[k]   = this->load(view.indices, n_entries, 4 + k);
        }
      distances = n_entries > 8 ? this->load(view.indices, n_entries, 8) : 0;
      const InnerNodes of_batch = view.inner[this->batch];
      padding                   = this->lane >= of_batch.n_cells;
      inner                     = padding ? view.padding_index
                                          : of_batch.first + this->lane * of_batch.per_lane;
      inner_distance            = padding ? 0 : of_batch.per_node;
    }

    /// Returns the index of node k on an edge, where k counts from one vertex
    /// (0) to the other (p).
    TESSERA_HOST_DEVICE int
    node_on_edge(const int edge, const int k) const
    {
      return on_edge[edge] +
             (k - 1) * static_cast<signed char>(distances >> 8 * edge);
    }
  };
} // namespace tessera
