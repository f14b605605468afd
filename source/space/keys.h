#pragma once

#include <tessera/space/connectivity.h>

#include <array>
#include <cstdint>
#include <vector>

namespace tessera::internal
{
  using Point     = std::array<double, 3>; ///< 0 beyond the dimension
  using GridPoint = std::array<int, 3>;

  /// Of the positions of all vertices.
  struct BoundingBox
  {
    Point low = {}, extent = {};

    explicit BoundingBox(const Connectivity &mesh);

    double
    largest() const;
  };

  /// The mean of the vertices of a cell.
  Point
  cell_center(const Connectivity &mesh, int cell);

  /// Sides of a mean cell, of the boxes that two triangles or six tetrahedra
  /// make. With E_k the mean of the edges of a quadrilateral or hexahedron in
  /// its direction k, side d is the mean over cells of max_k |(E_k)_d|: the
  /// mesh width of a grid of boxes whose inner vertices were moved, as moves
  /// cancel along a row. Simplices: all sides are the root of det J's mean.
  Point
  mean_cell_size(const Connectivity &mesh);

  /// The nearest points to all vertices of the grid through `low`, `spacing`
  /// apart.
  std::vector<GridPoint>
  vertices_on_grid(const Connectivity &mesh, const Point &low,
                   const Point &spacing);

  /// Steps of `nodes_on_grid` for one of the vertices: p^dim, of simplices p.
  int
  nodes_per_step(const Connectivity &mesh);

  /// [n_dofs]: positions of the nodes in 1/`nodes_per_step` of the grid on
  /// which the vertices stand, cells being multilinear (simplices: linear)
  /// with equidistant nodes. In whole numbers, so that cells agree on their
  /// common nodes, and that a grid's rows of nodes are rows. Where they do not
  /// agree (periodic meshes) the larger coordinates count.
  std::vector<GridPoint>
  nodes_on_grid(const Connectivity &mesh,
                const std::vector<GridPoint> &vertices);

  /// Points a direction that `hilbert_index` tells apart.
  constexpr int
  hilbert_size(const int dim)
  {
    return 1 << (dim == 2 ? 24 : 16);
  }

  /// Distance along the Hilbert curve of a grid of `hilbert_size` points a
  /// direction.
  std::uint64_t
  hilbert_index(const GridPoint &point, int dim);

  /// Positions of the keys in ascending order, equal keys as they were.
  std::vector<int>
  sorted_positions(const std::vector<std::uint64_t> &keys);
} // namespace tessera::internal
