#pragma once

#include <tessera/space/connectivity.h>

#include <array>
#include <cstdint>
#include <vector>

namespace tessera::internal
{
  using Point     = std::array<double, 3>; ///< 0 beyond the dimension
  using GridPoint = std::array<int, 3>;

  /// The bounding box of all vertices.
  struct BoundingBox
  {
    Point low = {}, extent = {};

    explicit BoundingBox(const Connectivity &mesh);

    double
    largest() const;
  };

  /// Returns the mean of the vertices of a cell.
  Point
  cell_center(const Connectivity &mesh, int cell);

  /// Returns the sides of a mean cell, or on simplices of the box that two
  /// triangles or six tetrahedra make. With E_k the mean of the edges of a
  /// quadrilateral or hexahedron in its direction k, side d is the mean over
  /// cells of max_k |(E_k)_d|. This is the mesh width of a grid of boxes even
  /// if its inner vertices were moved, because the moves cancel along a row. On
  /// simplices, all sides are the dim-th root of the mean of det J.
  Point
  mean_cell_size(const Connectivity &mesh);

  /// Returns for every vertex the nearest point of the grid through `low` with
  /// the given `spacing`.
  std::vector<GridPoint>
  vertices_on_grid(const Connectivity &mesh, const Point &low,
                   const Point &spacing);

  /// Returns the number of steps of `nodes_on_grid` per step of the vertex
  /// grid: p^dim, or p on simplices.
  int
  nodes_per_step(const Connectivity &mesh);

  /// Returns the positions of the nodes, [n_dofs], in units of
  /// 1 / `nodes_per_step` of the grid of the vertices. Cells are taken as
  /// multilinear (simplices: linear) with equidistant nodes. The positions are
  /// whole numbers, so that cells agree on their common nodes and the rows of
  /// nodes of a grid are rows. Where cells do not agree (periodic meshes), the
  /// larger coordinates count.
  std::vector<GridPoint>
  nodes_on_grid(const Connectivity &mesh,
                const std::vector<GridPoint> &vertices);

  /// Returns the number of points per direction that `hilbert_index` can
  /// distinguish.
  constexpr int
  hilbert_size(const int dim)
  {
    return 1 << (dim == 2 ? 24 : 16);
  }

  /// Returns the distance of a point along the Hilbert curve of a grid with
  /// `hilbert_size` points per direction.
  std::uint64_t
  hilbert_index(const GridPoint &point, int dim);
} // namespace tessera::internal
