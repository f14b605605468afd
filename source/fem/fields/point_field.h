#pragma once

#include <tessera/fem/mesh/grid_field.h>

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/point.h>

#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  /// Returns how far a point lies outside of the reference cell.
  template <int dim>
  double
  distance_to_cell(const bool is_simplex, const dealii::Point<dim> &point)
  {
    double result = 0, sum = 0;
    for (int d = 0; d < dim; ++d)
      {
        result = std::max(result, -point[d]);
        if (!is_simplex)
          result = std::max(result, point[d] - 1);
        sum += point[d];
      }
    return is_simplex ? std::max(result, sum - 1) : result;
  }

  /// The interpolation of values at the points of an unstructured grid. Cells
  /// are simplices of degree 1 and 2 or cubes of degree 1 to 8, and have the
  /// geometry that the same functions interpolate.
  template <int dim>
  class PointField
  {
  public:
    /// Throws MeshError, with the source, if there are no cells of dimension
    /// dim or some of them are of another type.
    PointField(const GridField &grid, const std::string &source);

    /// Returns the value at a point, NaN if it is farther from all cells than a
    /// quarter of the nearest. Threads may call it at once.
    double
    value(const dealii::Point<dim> &p) const;

    /// The largest distance of points outside, in reference cells, since it was
    /// set to 0.
    mutable std::atomic<double> farthest{0};

  private:
    struct Cell
    {
      int degree;
      bool is_simplex;
      std::size_t first; ///< place in `nodes`
    };

    /// The values and gradients of the functions of a cell at a point.
    struct Shapes;

    void
    add_cell(int degree, bool is_simplex, const std::vector<long long> &points);

    /// Finds the point of the reference cell. Returns false if it is far away.
    bool
    invert(const Cell &cell, const dealii::Point<dim> &p,
           dealii::Point<dim> &unit, Shapes &shapes) const;

    std::vector<dealii::Point<dim>> points;
    std::vector<double> values;
    std::vector<long long> nodes; ///< points of all cells
    std::vector<Cell> cells;
    dealii::RTree<std::pair<dealii::BoundingBox<dim>, unsigned int>> tree;
  };
} // namespace tessera
