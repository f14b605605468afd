#pragma once

#include <tessera/space/quadrature.h>

#include <array>
#include <cmath>
#include <vector>

// Reference cells of every type, written independently of the tables of the
// kernels.
namespace tessera::test
{
  /// Coordinates beyond the dimension are zero.
  using Position = std::array<double, 3>;

  /// Returns Lagrange polynomial i of the nodes, and its derivative, at x.
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

  /// Returns Gauss-Lobatto nodes or Gauss points, written independently.
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

  /// The Lagrange element of degree p on a reference cell, with its rule.
  class ReferenceCell
  {
  public:
    CellType type;
    int dim, degree, n;
    std::vector<Position> nodes, points;
    std::vector<double> weights;

    ReferenceCell(const CellType type, const int degree)
      : type(type), dim(dimension(type)), degree(degree),
        n(n_nodes(type, degree)), line_nodes(lobatto_nodes(degree))
    {
      if (is_simplex(type))
        set_simplex();
      else
        set_tensor();
    }

    double
    value(const int i, const Position &xi) const
    {
      if (is_simplex(type))
        {
          const auto [a, b] = pair(i);
          const double l = barycentric(a, xi), m = barycentric(b, xi);
          return degree == 1 ? l : a == b ? l * (2 * l - 1) : 4 * l * m;
        }
      double product = 1;
      for (int d = 0, rest = i; d < dim; ++d, rest /= degree + 1)
        product *= lagrange(line_nodes, rest % (degree + 1), xi[d]);
      return product;
    }

    Position
    gradient(const int i, const Position &xi) const
    {
      Position result = {0, 0, 0};
      for (int d = 0; d < dim; ++d)
        result[d] = is_simplex(type) ? simplex_derivative(i, xi, d)
                                     : tensor_derivative(i, xi, d);
      return result;
    }

  private:
    /// Returns coordinates of vertices of a simplex and of midpoints of edges.
    static double
    corner(const int v, const int d)
    {
      return v == d + 1;
    }

    static double
    barycentric(const int v, const Position &xi)
    {
      return v == 0 ? 1 - xi[0] - xi[1] - xi[2] : xi[v - 1];
    }

    /// Returns the vertices between which node i lies.
    std::array<int, 2>
    pair(const int i) const
    {
      constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0},
                                   {0, 3}, {1, 3}, {2, 3}};
      if (i <= dim)
        return {i, i};
      return {edges[i - dim - 1][0], edges[i - dim - 1][1]};
    }

    double
    simplex_derivative(const int i, const Position &xi, const int d) const
    {
      const auto [a, b] = pair(i);
      const double da   = a == 0 ? -1 : corner(a, d);
      const double db   = b == 0 ? -1 : corner(b, d);
      const double l = barycentric(a, xi), m = barycentric(b, xi);
      return degree == 1 ? da
             : a == b    ? (4 * l - 1) * da
                         : 4 * (da * m + l * db);
    }

    double
    tensor_derivative(const int i, const Position &xi, const int d) const
    {
      double product = 1;
      for (int e = 0, rest = i; e < dim; ++e, rest /= degree + 1)
        product *=
          e == d ? lagrange_derivative(line_nodes, rest % (degree + 1), xi[e])
                 : lagrange(line_nodes, rest % (degree + 1), xi[e]);
      return product;
    }

    void
    set_simplex()
    {
      for (int i = 0; i < n; ++i)
        {
          const auto [a, b] = pair(i);
          Position node     = {0, 0, 0};
          for (int d = 0; d < dim; ++d)
            node[d] = (corner(a, d) + corner(b, d)) / 2;
          nodes.push_back(node);
        }
      const QuadratureRule rule = simplex_rule(dim, degree + 1);
      weights                   = rule.weights;
      for (std::size_t q = 0; q < weights.size(); ++q)
        {
          Position point = {0, 0, 0};
          for (int d = 0; d < dim; ++d)
            point[d] = rule.points[dim * q + d];
          points.push_back(point);
        }
    }

    void
    set_tensor()
    {
      std::vector<double> x, w;
      gauss_rule(degree, x, w);
      for (int i = 0; i < n; ++i)
        {
          Position node = {0, 0, 0}, point = {0, 0, 0};
          double weight = 1;
          for (int d = 0, rest = i; d < dim; ++d, rest /= degree + 1)
            {
              const int k = rest % (degree + 1);
              node[d]     = line_nodes[k];
              point[d]    = x[k];
              weight *= w[k];
            }
          nodes.push_back(node);
          points.push_back(point);
          weights.push_back(weight);
        }
    }

    std::vector<double> line_nodes;
  };

  /// A point of a cell, and dx_i/dxi_j there.
  struct MappedPoint
  {
    Position x;
    double jacobian[3][3]; // the unit matrix beyond dim
  };

  /// Maps xi by the multilinear or affine map of the vertices of a cell of a
  /// Connectivity or a Space. `corners` must have degree 1.
  template <class Mesh>
  MappedPoint
  map_point(const Mesh &mesh, const ReferenceCell &corners, const int cell,
            const Position &xi)
  {
    const int dim      = corners.dim;
    MappedPoint result = {{0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int d = dim; d < 3; ++d)
      result.jacobian[d][d] = 1;
    for (int v = 0; v < corners.n; ++v)
      {
        const double *vertex =
          &mesh.vertices[std::size_t(dim) *
                         mesh.cell_vertices[std::size_t(corners.n) * cell + v]];
        const double value      = corners.value(v, xi);
        const Position gradient = corners.gradient(v, xi);
        for (int i = 0; i < dim; ++i)
          {
            result.x[i] += vertex[i] * value;
            for (int j = 0; j < dim; ++j)
              result.jacobian[i][j] += vertex[i] * gradient[j];
          }
      }
    return result;
  }
} // namespace tessera::test
