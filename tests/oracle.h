#pragma once

#include <tessera/space/coefficient.h>
#include <tessera/space/space.h>

#include "reference.h"

#include <algorithm>
#include <limits>

// A serial loop that can be read in a minute: dense cell matrices by plain
// quadrature, with everything in double. It shares nothing with the kernels but
// the flat arrays.
namespace tessera::test
{
  class Oracle
  {
  public:
    const Space &space;
    Coefficient kappa;
    ReferenceCell element, corners;

    Oracle(const Space &space, Coefficient kappa)
      : space(space), kappa(std::move(kappa)),
        element(space.cell_type, space.degree), corners(space.cell_type, 1),
        matrices(space.n_cells())
    {
      for (const Position &point : element.points)
        for (int i = 0; i < element.n; ++i)
          {
            values.push_back(element.value(i, point));
            gradients.push_back(element.gradient(i, point));
          }
    }

    /// Calls f(q, w det J, J^-1 as [3][3]) for every point of a cell.
    template <class F>
    void
    for_each_point(const int cell, const F &f) const
    {
      for (std::size_t q = 0; q < element.points.size(); ++q)
        {
          const MappedPoint p = mapped_point(cell, q);
          const auto &j       = p.jacobian;
          double inverse[3][3], det = 0;
          for (int a = 0; a < 3; ++a)
            {
              const int a1 = (a + 1) % 3, a2 = (a + 2) % 3;
              for (int b = 0; b < 3; ++b)
                {
                  const int b1 = (b + 1) % 3, b2 = (b + 2) % 3;
                  inverse[b][a] = j[a1][b1] * j[a2][b2] - j[a1][b2] * j[a2][b1];
                }
              det += a == 0
                       ? j[0][0] * inverse[0][0] + j[0][1] * inverse[1][0] +
                           j[0][2] * inverse[2][0]
                       : 0;
            }
          for (auto &row : inverse)
            for (double &entry : row)
              entry /= det;
          f(int(q), element.weights[q] * det, inverse);
        }
    }

    /// Returns component c of a coefficient at a quadrature point.
    double
    coefficient(const int cell, const int q, const int c) const
    {
      const int nq = element.points.size(), m = kappa.n_components;
      switch (kappa.kind)
        {
          case Coefficient::Kind::uniform:
            return kappa.values[c];
          case Coefficient::Kind::per_cell:
            return kappa.values[cell * m + c];
          default:
            return kappa.values[(cell * nq + q) * m + c];
        }
    }

    /// Returns a cell matrix, [n][n], which the first call computes.
    const std::vector<double> &
    cell_matrix(const int cell) const
    {
      if (matrices[cell].empty())
        matrices[cell] = compute_cell_matrix(cell);
      return matrices[cell];
    }

    /// Computes y = A x on owned entries, and scale_i = sum |a_ij| |x_j| over
    /// cells, which bounds the rounding.
    void
    vmult(const std::vector<double> &x, std::vector<double> &y,
          std::vector<double> &scale) const
    {
      const int n = space.dofs_per_cell();
      y.assign(space.n_local(), 0);
      scale.assign(space.n_local(), 0);
      for (int cell = 0; cell < space.n_cells(); ++cell)
        {
          const std::vector<double> &k = cell_matrix(cell);
          const int *dofs              = &space.cell_dofs[cell * n];
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
              {
                y[dofs[i]] += k[i * n + j] * x[dofs[j]];
                scale[dofs[i]] += std::abs(k[i * n + j] * x[dofs[j]]);
              }
        }
      y.resize(space.n_owned);
      scale.resize(space.n_owned);
    }

    /// Returns the diagonal of A at owned entries.
    std::vector<double>
    diagonal() const
    {
      const int n = space.dofs_per_cell();
      std::vector<double> d(space.n_local());
      for (int cell = 0; cell < space.n_cells(); ++cell)
        for (int i = 0; i < n; ++i)
          d[space.cell_dofs[cell * n + i]] += cell_matrix(cell)[i * n + i];
      d.resize(space.n_owned);
      return d;
    }

    /// Returns scale_i = sum |d_a phi_i| |w det J kappa_ab| |d_b phi_j| |x_j|
    /// over points and cells. It bounds the rounding of A x also where the
    /// terms of an entry cancel: on a triangle of degree 2 and with a uniform
    /// coefficient, a vertex and the middle of the edge opposite have the entry
    /// 0, whose terms are as large as the terms of others.
    std::vector<double>
    size_of_terms(const std::vector<double> &x) const
    {
      const int n = element.n, dim = element.dim;
      std::vector<double> scale(space.n_local(), 0);
      std::vector<Position> g(n);
      for (int cell = 0; cell < space.n_cells(); ++cell)
        {
          const int *dofs = &space.cell_dofs[cell * n];
          for_each_point(cell, [&](const int q, const double jxw,
                                   const double(&inverse)[3][3]) {
            set_gradients(q, inverse, g);
            Position slope = {}, flux = {};
            for (int j = 0; j < n; ++j)
              for (int b = 0; b < dim; ++b)
                slope[b] += std::abs(g[j][b] * x[dofs[j]]);
            for (int a = 0; a < dim; ++a)
              for (int b = 0; b < dim; ++b)
                flux[a] += std::abs(jxw * tensor(cell, q, a, b)) * slope[b];
            for (int i = 0; i < n; ++i)
              for (int a = 0; a < dim; ++a)
                scale[dofs[i]] += std::abs(g[i][a]) * flux[a];
          });
        }
      scale.resize(space.n_owned);
      return scale;
    }

    /// Computes the load vector of f with one component, and its scale.
    void
    load(const Coefficient &source, std::vector<double> &b,
         std::vector<double> &scale) const
    {
      const Oracle with_source(space, source);
      const int n = element.n;
      b.assign(space.n_local(), 0);
      scale.assign(space.n_local(), 0);
      for (int cell = 0; cell < space.n_cells(); ++cell)
        for_each_point(
          cell, [&](const int q, const double jxw, const double(&)[3][3]) {
            for (int i = 0; i < n; ++i)
              {
                const double value =
                  jxw * values[q * n + i] * with_source.coefficient(cell, q, 0);
                const int dof = space.cell_dofs[cell * n + i];
                b[dof] += value;
                scale[dof] += std::abs(value);
              }
          });
      b.resize(space.n_owned);
      scale.resize(space.n_owned);
    }

  private:
    /// Maps by the vertices, or by what Geometry::quadrature stores.
    MappedPoint
    mapped_point(const int cell, const int q) const
    {
      if (space.geometry != Geometry::quadrature)
        return map_point(space, corners, cell, element.points[q]);
      const int dim     = element.dim;
      const int nq      = element.points.size();
      const double *j   = &space.jacobians[(cell * nq + q) * dim * dim];
      MappedPoint point = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
      for (int a = 0; a < dim; ++a)
        {
          point.x[a] = space.points[(cell * nq + q) * dim + a];
          for (int b = 0; b < dim; ++b)
            point.jacobian[a][b] = j[a * dim + b];
        }
      return point;
    }

    /// Returns entry (a, b) of the coefficient, which has one value (a scalar)
    /// or the upper half of a matrix, row by row.
    double
    tensor(const int cell, const int q, const int a, const int b) const
    {
      if (kappa.n_components == 1)
        return a == b ? coefficient(cell, q, 0) : 0;
      constexpr int two[2][2]   = {{0, 1}, {1, 2}};
      constexpr int three[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
      return coefficient(cell, q, element.dim == 2 ? two[a][b] : three[a][b]);
    }

    /// Sets g[i] to the gradient of phi_i at a point with this inverse of J.
    void
    set_gradients(const int q, const double (&inverse)[3][3],
                  std::vector<Position> &g) const
    {
      const int n = element.n, dim = element.dim;
      for (int i = 0; i < n; ++i)
        for (int a = 0; a < dim; ++a)
          {
            g[i][a] = 0;
            for (int b = 0; b < dim; ++b)
              g[i][a] += inverse[b][a] * gradients[q * n + i][b];
          }
    }

    std::vector<double>
    compute_cell_matrix(const int cell) const
    {
      const int n = element.n, dim = element.dim;
      std::vector<double> k(n * n);
      std::vector<Position> g(n), flux(n);
      for_each_point(
        cell, [&](const int q, const double jxw, const double(&inverse)[3][3]) {
          set_gradients(q, inverse, g);
          for (int i = 0; i < n; ++i)
            for (int a = 0; a < dim; ++a)
              {
                flux[i][a] = 0;
                for (int b = 0; b < dim; ++b)
                  flux[i][a] += jxw * tensor(cell, q, a, b) * g[i][b];
              }
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
              for (int a = 0; a < dim; ++a)
                k[i * n + j] += g[i][a] * flux[j][a];
        });
      return k;
    }

    std::vector<double> values;      ///< [point][node]
    std::vector<Position> gradients; ///< [point][node], on the reference cell
    mutable std::vector<std::vector<double>> matrices;
  };

  /// Returns max_i |y_i - reference_i| / (eps scale_i), the rounding errors in
  /// units of the number's precision. Values below a few hundred are fine.
  /// Infinite if a value is not a number.
  template <class Number>
  double
  rounding_units(const std::vector<Number> &y,
                 const std::vector<double> &reference,
                 const std::vector<double> &scale)
  {
    double worst = 0;
    for (std::size_t i = 0; i < reference.size(); ++i)
      {
        const double eps = std::numeric_limits<Number>::epsilon();
        const double units =
          std::abs(static_cast<double>(y[i]) - reference[i]) /
          (eps * std::max(scale[i], 1e-300));
        if (!(units <= worst))
          worst =
            std::isnan(units) ? std::numeric_limits<double>::infinity() : units;
      }
    return worst;
  }

  /// Correct kernels keep `rounding_units` below this limit.
  constexpr double rounding_limit = 100;

  /// The same for scales by `Oracle::size_of_terms`, which are up to 3.5 times
  /// as large where nothing cancels. The largest value found was 14.
  constexpr double rounding_limit_of_terms = 40;
} // namespace tessera::test
