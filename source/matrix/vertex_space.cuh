#pragma once

#include <tessera/base/for_each.h>

#include <cstdint>

// What make_vertex_space does with a node or an entry of a space in which no
// node hangs.
namespace tessera::internal
{
  /// Nodes of the tail belong to no group.
  struct OwnedNode
  {
    int *dofs;
    int n_owned;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      if (dofs[i] > n_owned)
        dofs[i] = n_owned;
    }
  };

  /// The nodes of a space in its cells.
  struct NodesOfVertices
  {
    /// Node j stands at the places cell n_of_cell + i from places[start[j]] to
    /// places[start[j + 1] - 1], which increase.
    const std::int64_t *start;
    const int *places;
    const int *cell_dofs;      ///< [n_cells][n_of_cell]
    const int *node_of_vertex; ///< [n_vertices]: place in the cell
    const double *values;      ///< of vertex functions, [n_of_cell][n_vertices]
    int n_of_cell, n_vertices, n_owned;
    double least; ///< smaller values are 0

    TESSERA_HOST_DEVICE bool
    is_vertex(const int node) const
    {
      bool found = false;
      for (int v = 0; v < n_vertices && start[node] < start[node + 1]; ++v)
        found = found || places[start[node]] % n_of_cell == node_of_vertex[v];
      return found;
    }

    /// Calls f(node at a vertex, value of its function) for what the value at a
    /// node follows from.
    template <class F>
    TESSERA_HOST_DEVICE void
    for_vertices(const int node, const F &f) const
    {
      if (start[node] == start[node + 1])
        return;
      const int place = places[start[node]], i = place % n_of_cell;
      for (int v = 0; v < n_vertices; ++v)
        {
          const double value = values[i * n_vertices + v];
          const int at       = cell_dofs[place - i + node_of_vertex[v]];
          if ((value > least || value < -least) && at < n_owned)
            f(at, value);
        }
    }
  };

  struct MarkVertexNode
  {
    NodesOfVertices nodes;
    int *is_vertex;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t node) const
    {
      is_vertex[node] = nodes.is_vertex(static_cast<int>(node)) ? 1 : 0;
    }
  };

  struct ListVertexNode
  {
    const int *is_vertex;
    const std::int64_t *number;
    int *list;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t node) const
    {
      if (is_vertex[node] != 0)
        list[number[node]] = static_cast<int>(node);
    }
  };

  /// The entries of a row of the prolongation: their number, or if `row_start`
  /// is not null, themselves, with increasing columns.
  struct VertexRow
  {
    NodesOfVertices nodes;
    const char *is_given;       ///< [n_owned n_components]
    const std::int64_t *number; ///< of vertices, [n_owned]
    int n_components;
    int *length;
    const std::int64_t *row_start;
    int *columns;
    double *values;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      const int nc = n_components, c = static_cast<int>(row % nc);
      const std::int64_t begin = row_start != nullptr ? row_start[row] : 0;
      int n                    = 0;
      if (is_given[row] == 0)
        nodes.for_vertices(
          static_cast<int>(row / nc), [&](const int node, const double value) {
            if (is_given[std::int64_t(node) * nc + c] != 0)
              return;
            if (row_start != nullptr)
              {
                const int column = static_cast<int>(number[node] * nc + c);
                std::int64_t at  = begin + n;
                for (; at > begin && columns[at - 1] > column; --at)
                  {
                    columns[at] = columns[at - 1];
                    values[at]  = values[at - 1];
                  }
                columns[at] = column;
                values[at]  = value;
              }
            ++n;
          });
      if (row_start == nullptr)
        length[row] = n;
    }
  };
} // namespace tessera::internal
