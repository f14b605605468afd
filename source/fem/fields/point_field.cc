#include "point_field.h"

#include <tessera/base/error.h>

#include <deal.II/base/tensor.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace tessera
{
  namespace
  {
    constexpr int largest_degree = 8;

    /// How far outside of a cell its functions are continued, in reference
    /// cells.
    constexpr double farthest_continued = 0.25;

    constexpr int
    power(const int base, const int exponent)
    {
      return exponent == 0 ? 1 : base * power(base, exponent - 1);
    }

    /// Returns whether n^dim linear parts are the parts of one cell, in
    /// lexicographic order, and sets `lattice` to its points. `corners` are
    /// the corners of the parts, [n^dim][2^dim], in VTK's order.
    template <int dim>
    bool
    join_parts(const int n, const long long *const corners,
               std::vector<long long> &lattice)
    {
      constexpr int n_corners = 1 << dim;
      constexpr int at[][3]   = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
      lattice.assign(power(n + 1, dim), -1);
      for (int part = 0; part < power(n, dim); ++part)
        for (int v = 0; v < n_corners; ++v)
          {
            int place = 0;
            for (int d = dim - 1, of = power(n, dim - 1); d >= 0; --d, of /= n)
              place = place * (n + 1) + part / of % n + at[v][d];
            const long long point = corners[part * n_corners + v];
            if (lattice[place] >= 0 && lattice[place] != point)
              return false;
            lattice[place] = point;
          }
      return true;
    }
  } // namespace


  template <int dim>
  struct PointField<dim>::Shapes
  {
    static constexpr int max_n = power(largest_degree + 1, dim);

    int n = 0;
    std::array<double, max_n> values;
    std::array<dealii::Tensor<1, dim>, max_n> gradients;

    void
    compute(const Cell &cell, const dealii::Point<dim> &x)
    {
      if (cell.is_simplex)
        of_simplex(cell.degree, x);
      else
        of_cube(cell.degree, x);
    }

  private:
    /// Lagrange polynomials of equidistant points.
    void
    of_cube(const int degree, const dealii::Point<dim> &x)
    {
      double value[dim][largest_degree + 1], slope[dim][largest_degree + 1];
      for (int d = 0; d < dim; ++d)
        for (int i = 0; i <= degree; ++i)
          {
            double l = 1, dl = 0;
            for (int j = 0; j <= degree; ++j)
              if (j != i)
                {
                  const double scale  = double(degree) / (i - j),
                               factor = (x[d] - double(j) / degree) * scale;
                  dl                  = dl * factor + l * scale;
                  l *= factor;
                }
            value[d][i] = l;
            slope[d][i] = dl;
          }
      n = power(degree + 1, dim);
      for (int k = 0; k < n; ++k)
        {
          int index[dim];
          for (int d = 0, rest = k; d < dim; ++d, rest /= degree + 1)
            index[d] = rest % (degree + 1);
          values[k] = 1;
          for (int d = 0; d < dim; ++d)
            values[k] *= value[d][index[d]];
          for (int e = 0; e < dim; ++e)
            {
              gradients[k][e] = 1;
              for (int d = 0; d < dim; ++d)
                gradients[k][e] *=
                  d == e ? slope[d][index[d]] : value[d][index[d]];
            }
        }
    }

    /// Degree 1 or 2: corners, then the middles of edges in VTK's order.
    void
    of_simplex(const int degree, const dealii::Point<dim> &x)
    {
      constexpr int ends[][2] = {{0, 1}, {1, 2}, {2, 0},
                                 {0, 3}, {1, 3}, {2, 3}};
      double corner[dim + 1];
      dealii::Tensor<1, dim> of_corner[dim + 1];
      corner[0] = 1;
      for (int d = 0; d < dim; ++d)
        {
          corner[0] -= x[d];
          corner[d + 1]       = x[d];
          of_corner[0][d]     = -1;
          of_corner[d + 1][d] = 1;
        }
      n = dim + 1;
      for (int v = 0; v <= dim; ++v)
        {
          values[v]    = corner[v] * (degree == 1 ? 1 : 2 * corner[v] - 1);
          gradients[v] = of_corner[v] * (degree == 1 ? 1 : 4 * corner[v] - 1);
        }
      if (degree == 1)
        return;
      for (int e = 0; e < dim * (dim + 1) / 2; ++e, ++n)
        {
          const auto [a, b] = ends[e];
          values[n]         = 4 * corner[a] * corner[b];
          gradients[n] =
            4 * (corner[a] * of_corner[b] + corner[b] * of_corner[a]);
        }
    }
  };


  template <int dim>
  PointField<dim>::PointField(const GridField &grid, const std::string &source)
    : values(grid.values)
  {
    for (std::size_t i = 0; i < values.size(); ++i)
      {
        dealii::Point<dim> p;
        for (int d = 0; d < dim; ++d)
          p[d] = grid.points[3 * i + d];
        points.push_back(p);
        if (dim == 2 && grid.points[3 * i + 2] != 0)
          throw MeshError("The " + source +
                          " has points with z other than 0, but the mesh has "
                          "two dimensions.");
      }
    constexpr long long cube              = dim == 2 ? 9 : 12,
                        lattice_cube      = dim == 2 ? 8 : 11,
                        simplex           = dim == 2 ? 5 : 10,
                        quadratic_simplex = dim == 2 ? 22 : 24;
    constexpr int n_corners               = 1 << dim;
    // Cells of fewer dimensions, such as faces of the boundary.
    const std::vector<long long> lower =
      dim == 2 ? std::vector<long long>{1, 2, 3, 4, 21}
               : std::vector<long long>{1, 2, 3, 4, 5, 7, 8, 9, 21, 22, 23, 28};
    const std::size_t n_cells = grid.types.size();
    const auto begin_of       = [&grid](const std::size_t cell) {
      return cell == 0 ? 0 : grid.offsets[cell - 1];
    };
    std::vector<long long> lattice;
    const auto n_parts =
      static_cast<std::size_t>(power(grid.subdivisions, dim));
    for (std::size_t cell = 0; cell < n_cells; ++cell)
      {
        const long long type = grid.types[cell];
        if (std::count(lower.begin(), lower.end(), type) > 0)
          continue;
        const auto begin = grid.connectivity.begin() + begin_of(cell),
                   end   = grid.connectivity.begin() + grid.offsets[cell];
        const auto n     = end - begin;
        if (type == simplex && n == dim + 1)
          add_cell(1, true, {begin, end});
        else if (type == quadratic_simplex && n == (dim + 1) * (dim + 2) / 2)
          add_cell(2, true, {begin, end});
        else if (type == lattice_cube && n == n_corners)
          add_cell(1, false, {begin, end});
        else if (type == cube && n == n_corners)
          {
            // The file may have passed through other programs.
            const std::size_t last = cell + n_parts - 1;
            if (n_parts > 1 && last < n_cells && grid.types[last] == cube &&
                grid.offsets[last] - begin_of(cell) ==
                  static_cast<long long>(n_parts * n_corners) &&
                join_parts<dim>(grid.subdivisions, &*begin, lattice))
              {
                add_cell(grid.subdivisions, false, lattice);
                cell = last;
              }
            else
              {
                join_parts<dim>(1, &*begin, lattice);
                add_cell(1, false, lattice);
              }
          }
        else
          throw MeshError("The " + source + " has a cell of VTK's type " +
                          std::to_string(type) +
                          (dim == 2 ? "; legal are triangles of order 1 and 2 "
                                      "and quadrilaterals of order 1."
                                    : "; legal are tetrahedra of order 1 and 2 "
                                      "and hexahedra of order 1."));
      }
    if (cells.empty())
      throw MeshError("The " + source + " has no cells of " +
                      std::to_string(dim) + " dimensions.");
    std::vector<std::pair<dealii::BoundingBox<dim>, unsigned int>> boxes;
    for (std::size_t c = 0; c < cells.size(); ++c)
      {
        const std::size_t stop =
          c + 1 < cells.size() ? cells[c + 1].first : nodes.size();
        auto low = points[nodes[cells[c].first]], high = low;
        for (std::size_t k = cells[c].first; k < stop; ++k)
          for (int d = 0; d < dim; ++d)
            {
              low[d]  = std::min(low[d], points[nodes[k]][d]);
              high[d] = std::max(high[d], points[nodes[k]][d]);
            }
        dealii::BoundingBox<dim> box({low, high});
        double side = 0;
        for (int d = 0; d < dim; ++d)
          side = std::max(side, high[d] - low[d]);
        box.extend(farthest_continued * side);
        boxes.emplace_back(box, static_cast<unsigned int>(c));
      }
    tree = dealii::pack_rtree(boxes);
  }


  template <int dim>
  void
  PointField<dim>::add_cell(const int degree, const bool is_simplex,
                            const std::vector<long long> &of_cell)
  {
    cells.push_back({degree, is_simplex, nodes.size()});
    nodes.insert(nodes.end(), of_cell.begin(), of_cell.end());
  }


  template <int dim>
  bool
  PointField<dim>::invert(const Cell &cell, const dealii::Point<dim> &p,
                          dealii::Point<dim> &unit, Shapes &shapes) const
  {
    for (int d = 0; d < dim; ++d)
      unit[d] = cell.is_simplex ? 1. / (dim + 1) : 0.5;
    const dealii::Point<dim> middle = unit;
    constexpr int max_iterations    = 30;
    for (int k = 0; k < max_iterations; ++k)
      {
        shapes.compute(cell, unit);
        dealii::Tensor<1, dim> residual = p;
        dealii::Tensor<2, dim> jacobian;
        for (int i = 0; i < shapes.n; ++i)
          {
            const auto &node = points[nodes[cell.first + i]];
            residual -= shapes.values[i] * node;
            for (int d = 0; d < dim; ++d)
              jacobian[d] += node[d] * shapes.gradients[i];
          }
        if (!(std::abs(dealii::determinant(jacobian)) > 0))
          return false;
        const dealii::Tensor<1, dim> step = dealii::invert(jacobian) * residual;
        unit += step;
        if (!(unit.distance(middle) < 4))
          return false;
        if (step.norm() < 1e-13)
          return true;
        if (step.norm() < 1e-7 && k > 5) // rounding of large coordinates
          return true;
      }
    return false;
  }


  template <int dim>
  double
  PointField<dim>::value(const dealii::Point<dim> &p) const
  {
    namespace index = boost::geometry::index;
    std::vector<std::pair<dealii::BoundingBox<dim>, unsigned int>> found;
    tree.query(index::intersects(p), std::back_inserter(found));
    Shapes shapes;
    const Cell *nearest = nullptr;
    dealii::Point<dim> unit, at;
    double distance = std::numeric_limits<double>::infinity();
    for (const auto &[box, number] : found)
      if (const Cell &cell = cells[number]; invert(cell, p, unit, shapes))
        {
          const double outside = distance_to_cell(cell.is_simplex, unit);
          if (outside >= distance)
            continue;
          distance = outside;
          nearest  = &cell;
          at       = unit;
          if (distance == 0)
            break;
        }
    if (distance > farthest_continued)
      return std::numeric_limits<double>::quiet_NaN();
    for (double before = farthest;
         before < distance &&
         !farthest.compare_exchange_weak(before, distance);)
      {}
    shapes.compute(*nearest, at);
    double result = 0;
    for (int i = 0; i < shapes.n; ++i)
      result += shapes.values[i] * values[nodes[nearest->first + i]];
    return result;
  }


  template class PointField<2>;
  template class PointField<3>;
} // namespace tessera
