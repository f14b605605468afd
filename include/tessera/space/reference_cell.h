#pragma once

#include <tessera/space/cell_type.h>

#include <vector>

namespace tessera
{
  /// Values of the functions that are 1 at one vertex and 0 at the others
  /// (multilinear, on simplices linear) at `points` [n][dim]: [n][nv].
  std::vector<double>
  vertex_functions(CellType type, const std::vector<double> &points);

  /// Their derivatives: [n][nv][dim].
  std::vector<double>
  vertex_gradients(CellType type, const std::vector<double> &points);

  /// Coordinates of the vertices: [nv][dim].
  std::vector<double>
  reference_vertices(CellType type);
} // namespace tessera
