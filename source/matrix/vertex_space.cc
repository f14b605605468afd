#include "vertex_space.h"
#include "vertex_space.cuh"

#include <tessera/base/algorithms.h>
#include <tessera/matrix/vertex_prolongation.h>
#include <tessera/space/quadrature.h>
#include <tessera/space/reference_cell.h>

#include <cstdint>
#include <utility>

namespace tessera
{
  namespace
  {
    /// Returns the positions of the nodes in the reference cell, [n][dim].
    std::vector<double>
    reference_nodes(const CellType type, const int degree)
    {
      const int dim = dimension(type), n = degree + 1;
      std::vector<double> result;
      if (is_simplex(type))
        {
          result                   = reference_vertices(type);
          constexpr int edges[][2] = {{0, 1}, {1, 2}, {2, 0},
                                      {0, 3}, {1, 3}, {2, 3}};
          const int n_edges        = dim == 2 ? 3 : 6;
          for (int e = 0; degree == 2 && e < n_edges; ++e)
            for (int d = 0; d < dim; ++d)
              result.push_back((result[edges[e][0] * dim + d] +
                                result[edges[e][1] * dim + d]) /
                               2);
          return result;
        }
      const std::vector<double> line = gauss_lobatto_points(n);
      for (int i = 0; i < n_nodes(type, degree); ++i)
        for (int d = 0, rest = i; d < dim; ++d, rest /= n)
          result.push_back(line[rest % n]);
      return result;
    }

    /// Makes the space where nodes hang, on the host.
    VertexSpace
    vertex_space_with_hanging_nodes(const Space &space,
                                    const Array<char> &is_given)
    {
      const Backend backend = is_given.backend();
      const auto nodes      = vertex_nodes(space);
      const int n_nodes     = static_cast<int>(nodes.size());
      std::vector<std::int64_t> numbers(space.n_owned, -1);
      for (int vertex = 0; vertex < n_nodes; ++vertex)
        numbers[nodes[vertex]] = vertex;
      NumberedRows rows = vertex_rows(space, numbers, is_given.to_vector());
      SparseMatrix P;
      P.n_columns         = n_nodes * space.n_components;
      P.pattern.row_start = std::move(rows.row_start);
      P.pattern.columns.assign(rows.columns.begin(), rows.columns.end());
      P.values = std::move(rows.values);
      return {SparseRows(P, backend), Array<int>(backend, nodes)};
    }
  } // namespace


  std::vector<double>
  vertex_functions_at_nodes(const Space &space)
  {
    return vertex_functions(space.cell_type,
                            reference_nodes(space.cell_type, space.degree));
  }


  std::vector<int>
  places_of_vertices(const Space &space, const std::vector<double> &values)
  {
    const int nv = space.vertices_per_cell();
    std::vector<int> result;
    for (int v = 0; v < nv; ++v)
      for (int i = 0; i < space.dofs_per_cell(); ++i)
        if (values[i * nv + v] > 1 - least_weight)
          result.push_back(i);
    return result;
  }


  VertexSpace
  make_vertex_space(const Space &space, const Array<char> &is_given)
  {
    using namespace internal;
    if (space.n_hanging > 0)
      return vertex_space_with_hanging_nodes(space, is_given);
    const Backend backend = is_given.backend();
    const int n = space.dofs_per_cell(), nc = space.n_components;
    const auto n_dofs    = static_cast<std::int64_t>(space.cell_dofs.size());
    const auto functions = vertex_functions_at_nodes(space);
    const Array<int> of_cells(backend, space.cell_dofs),
      of_vertices(backend, places_of_vertices(space, functions));
    const Array<double> values(backend, functions);
    const auto places = [&]() {
      Array<int> owned(backend, space.cell_dofs);
      for_each(backend, n_dofs, OwnedNode{owned.data(), space.n_owned});
      return algorithms::group(backend, owned.data(), n_dofs, space.n_owned);
    }();
    const NodesOfVertices nodes{
      places.start.data(),       places.items.data(), of_cells.data(),
      of_vertices.data(),        values.data(),       n,
      space.vertices_per_cell(), space.n_owned,       least_weight};
    Array<int> is_vertex(backend, space.n_owned);
    for_each(backend, space.n_owned, MarkVertexNode{nodes, is_vertex.data()});
    const Array<std::int64_t> numbers = starts_of(is_vertex);

    VertexSpace result;
    SparseRows &P = result.prolongation;
    result.nodes  = Array<int>(backend, last_of(numbers));
    for_each(
      backend, space.n_owned,
      ListVertexNode{is_vertex.data(), numbers.data(), result.nodes.data()});
    P.n_rows    = space.n_owned * nc;
    P.n_columns = result.n_nodes() * nc;
    Array<int> length(backend, P.n_rows);
    VertexRow row{nodes,         is_given.data(), numbers.data(), nc,
                  length.data(), nullptr,         nullptr,        nullptr};
    for_each(backend, P.n_rows, row);
    P.row_start   = starts_of(length);
    P.columns     = Array<int>(backend, last_of(P.row_start));
    P.values      = Array<double>(backend, P.columns.size());
    row.row_start = P.row_start.data();
    row.columns   = P.columns.data();
    row.values    = P.values.data();
    for_each(backend, P.n_rows, row);
    if (backend == Backend::cuda)
      runtime::synchronize({});
    return result;
  }
} // namespace tessera
