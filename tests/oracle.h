#pragma once

#include <tessera/forms/coefficient.h>
#include <tessera/space/space.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

// The serial loop one reads in a minute: dense cell matrices by plain
// quadrature, everything in double, nothing shared with the kernels but the
// flat arrays.
namespace tessera::test
{
  /// Lagrange polynomial i at the nodes, and its derivative, at x.
  inline double
  lagrange(const std::vector<double> &nodes, const int i, const double x)
  {
    double value = 1;
    for (std::size_t j = 0; j < nodes.size(); ++j)
      if (static_cast<int>(j) != i)
        value *= (x - nodes[j]) / (nodes[i] - nodes[j]);
    return value;
  }

  inline double
  lagrange_derivative(const std::vector<double> &nodes, const int i,
                      const double x)
  {
    double sum = 0;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (static_cast<int>(k) != i)
        {
          double product = 1 / (nodes[i] - nodes[k]);
          for (std::size_t j = 0; j < nodes.size(); ++j)
            if (static_cast<int>(j) != i && j != k)
              product *= (x - nodes[j]) / (nodes[i] - nodes[j]);
          sum += product;
        }
    return sum;
  }

  /// Gauss-Lobatto nodes and Gauss points, written down independently.
  inline std::vector<double>
  lobatto_nodes(const int degree)
  {
    switch (degree)
      {
        case 1:
          return {0, 1};
        case 2:
          return {0, 0.5, 1};
        case 3:
          return {0, 0.5 - std::sqrt(0.05), 0.5 + std::sqrt(0.05), 1};
        default:
          return {0, 0.5 - std::sqrt(3. / 28), 0.5, 0.5 + std::sqrt(3. / 28),
                  1};
      }
  }

  inline void
  gauss_rule(const int degree, std::vector<double> &points,
             std::vector<double> &weights)
  {
    const auto symmetric = [&](const std::vector<double> &x,
                               const std::vector<double> &w) {
      points.clear();
      weights.clear();
      for (std::size_t k = 0; k < x.size(); ++k)
        {
          points.push_back(0.5 * (1 + x[k]));
          weights.push_back(0.5 * w[k]);
        }
    };
    const double s = std::sqrt(6. / 5), t = std::sqrt(30.), u = std::sqrt(70.);
    const double a = std::sqrt(3. / 7 - 2. / 7 * s);
    const double b = std::sqrt(3. / 7 + 2. / 7 * s);
    const double c = std::sqrt(5 - 2 * std::sqrt(10. / 7)) / 3;
    const double d = std::sqrt(5 + 2 * std::sqrt(10. / 7)) / 3;
    const double v = (322 - 13 * u) / 900, w = (322 + 13 * u) / 900;
    switch (degree)
      {
        case 1:
          return symmetric({-1 / std::sqrt(3.), 1 / std::sqrt(3.)}, {1, 1});
        case 2:
          return symmetric({-std::sqrt(0.6), 0, std::sqrt(0.6)},
                           {5. / 9, 8. / 9, 5. / 9});
        case 3:
          return symmetric({-b, -a, a, b}, {(18 - t) / 36, (18 + t) / 36,
                                            (18 + t) / 36, (18 - t) / 36});
        default:
          return symmetric({-d, -c, 0, c, d}, {v, w, 128. / 225, w, v});
      }
  }

  class Oracle
  {
  public:
    const Space &space;
    Coefficient kappa;
    std::vector<double> nodes, points, weights;

    Oracle(const Space &space, Coefficient kappa)
      : space(space), kappa(std::move(kappa)),
        nodes(lobatto_nodes(space.degree)), matrices(space.n_cells())
    {
      gauss_rule(space.degree, points, weights);
      const int n1 = space.degree + 1, n = n1 * n1;
      for (int q = 0; q < n; ++q)
        for (int i = 0; i < n; ++i)
          {
            const double x = points[q % n1], y = points[q / n1];
            reference_gradients.push_back(
              lagrange_derivative(nodes, i % n1, x) *
              lagrange(nodes, i / n1, y));
            reference_gradients.push_back(
              lagrange(nodes, i % n1, x) *
              lagrange_derivative(nodes, i / n1, y));
          }
    }

    /// Calls f(q, w det J, x, J^-T as [2][2]) for every point of a cell.
    template <class F>
    void
    for_each_point(const int cell, const F &f) const
    {
      const int n1 = space.degree + 1;
      for (int q = 0; q < n1 * n1; ++q)
        {
          const double xi[2] = {points[q % n1], points[q / n1]};
          double x[2]        = {0, 0};
          double j[2][2]     = {{0, 0}, {0, 0}};
          for (int v = 0; v < 4; ++v)
            {
              const double *vertex =
                &space.vertices[2 * space.cell_vertices[4 * cell + v]];
              const double l0 = v % 2 == 0 ? 1 - xi[0] : xi[0];
              const double l1 = v / 2 == 0 ? 1 - xi[1] : xi[1];
              for (int d = 0; d < 2; ++d)
                {
                  x[d] += vertex[d] * l0 * l1;
                  j[d][0] += vertex[d] * (v % 2 == 0 ? -1 : 1) * l1;
                  j[d][1] += vertex[d] * (v / 2 == 0 ? -1 : 1) * l0;
                }
            }
          const double det           = j[0][0] * j[1][1] - j[0][1] * j[1][0];
          const double inverse[2][2] = {{j[1][1] / det, -j[1][0] / det},
                                        {-j[0][1] / det, j[0][0] / det}};
          f(q, weights[q % n1] * weights[q / n1] * det, x, inverse, xi);
        }
    }

    double
    coefficient(const int cell, const int q, const int c) const
    {
      const int n = space.dofs_per_cell(), m = kappa.n_components;
      switch (kappa.kind)
        {
          case Coefficient::Kind::uniform:
            return kappa.values[c];
          case Coefficient::Kind::per_cell:
            return kappa.values[cell * m + c];
          default:
            return kappa.values[(cell * n + q) * m + c];
        }
    }

    /// [n][n]; computed at the first call.
    const std::vector<double> &
    cell_matrix(const int cell) const
    {
      if (matrices[cell].empty())
        matrices[cell] = compute_cell_matrix(cell);
      return matrices[cell];
    }

    /// y = A x on owned entries, and scale_i = sum |a_ij| |x_j| over cell
    /// contributions, which bounds what rounding may do.
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

    /// Load vector of f with one component, and the scale as above.
    void
    load(const Coefficient &source, std::vector<double> &b,
         std::vector<double> &scale) const
    {
      const Oracle with_source(space, source);
      const int n1 = space.degree + 1, n = n1 * n1;
      b.assign(space.n_local(), 0);
      scale.assign(space.n_local(), 0);
      for (int cell = 0; cell < space.n_cells(); ++cell)
        for_each_point(cell, [&](const int q, const double jxw, const double *,
                                 const double(&)[2][2], const double(&xi)[2]) {
          for (int i = 0; i < n; ++i)
            {
              const double value = jxw * with_source.coefficient(cell, q, 0) *
                                   lagrange(nodes, i % n1, xi[0]) *
                                   lagrange(nodes, i / n1, xi[1]);
              const int dof = space.cell_dofs[cell * n + i];
              b[dof] += value;
              scale[dof] += std::abs(value);
            }
        });
      b.resize(space.n_owned);
      scale.resize(space.n_owned);
    }

  private:
    std::vector<double>
    compute_cell_matrix(const int cell) const
    {
      const int n = space.dofs_per_cell();
      std::vector<double> k(n * n), g(2 * n);
      for_each_point(cell, [&](const int q, const double jxw, const double *,
                               const double(&inverse)[2][2],
                               const double(&)[2]) {
        for (int i = 0; i < n; ++i)
          {
            const double *r = &reference_gradients[2 * (q * n + i)];
            for (int d = 0; d < 2; ++d)
              g[2 * i + d] = inverse[d][0] * r[0] + inverse[d][1] * r[1];
          }
        const double k00 = coefficient(cell, q, 0);
        const double k01 = coefficient(cell, q, 1);
        const double k11 = coefficient(cell, q, 2);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            k[i * n + j] +=
              jxw * (g[2 * i] * (k00 * g[2 * j] + k01 * g[2 * j + 1]) +
                     g[2 * i + 1] * (k01 * g[2 * j] + k11 * g[2 * j + 1]));
      });
      return k;
    }

    std::vector<double> reference_gradients; ///< [point][node][2]
    mutable std::vector<std::vector<double>> matrices;
  };

  /// max_i |y_i - reference_i| / (eps scale_i): rounding errors in units of the
  /// number's precision; fine below a few hundred. Infinite for what is not a
  /// number.
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

  /// Entries of |rounding_units| that correct kernels stay below.
  constexpr double rounding_limit = 100;
} // namespace tessera::test
