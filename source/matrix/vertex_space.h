#pragma once

#include <tessera/space/space.h>

#include <vector>

namespace tessera
{
  /// Weights below this belong to vertices on which a node does not depend.
  constexpr double least_weight = 1e-12;

  /// Returns the values of the vertex functions at the nodes of a cell,
  /// [nodes][vertices].
  std::vector<double>
  vertex_functions_at_nodes(const Space &space);

  /// Returns the place in the cell of the node at each vertex, from these
  /// values.
  std::vector<int>
  places_of_vertices(const Space &space, const std::vector<double> &values);
} // namespace tessera
