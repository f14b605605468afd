#pragma once

#include <tessera/space/cell_type.h>

#include <vector>

namespace tessera
{
  /// Returns the values of the vertex functions at `points`, [n][dim]. The
  /// result is [n][nv], vertex fastest. The function of a vertex is 1 there and
  /// 0 at the other vertices; it is multilinear, on simplices linear.
  std::vector<double>
  vertex_functions(CellType type, const std::vector<double> &points);

  /// Returns the derivatives of the vertex functions at `points`: [n][nv][dim].
  std::vector<double>
  vertex_gradients(CellType type, const std::vector<double> &points);

  /// Returns the coordinates of the vertices: [nv][dim].
  std::vector<double>
  reference_vertices(CellType type);
} // namespace tessera
