#include <tessera/space/quadrature.h>

#include <cmath>
#include <stdexcept>
#include <string>

namespace tessera
{
  namespace
  {
    /// Hillion's rule has Gauss points across and Radau points to vertex 2.
    QuadratureRule
    triangle_4()
    {
      const double root = std::sqrt(6.);
      const double low = (4 - root) / 10, high = (4 + root) / 10;
      const double heavy = (9 + root) / 72, light = (9 - root) / 72;
      const double left  = 0.5 - std::sqrt(3.) / 6;
      const double right = 0.5 + std::sqrt(3.) / 6;
      return {{left * (1 - low), low, left * (1 - high), high,
               right * (1 - low), low, right * (1 - high), high},
              {heavy, light, heavy, light}};
    }

    /// Radon's rule is also known by Hammer, Marlowe and Stroud.
    QuadratureRule
    triangle_7()
    {
      const double root = std::sqrt(15.);
      const double a = (6 - root) / 21, b = (6 + root) / 21;
      const double v = (155 - root) / 2400, w = (155 + root) / 2400;
      return {{1. / 3, 1. / 3, 1 - 2 * a, a, a, 1 - 2 * a, a, a, 1 - 2 * b, b,
               b, 1 - 2 * b, b, b},
              {9. / 80, v, v, v, w, w, w}};
    }

    /// Xiao and Gimbutas's rule of degree 3 has no symmetry.
    QuadratureRule
    tetrahedron_6()
    {
      return {{0.16200149169852451, 0.18385035049209769, 0.012718366313681451,
               0.010905212211189241, 0.28152380212354622, 0.3621268299455338,
               0.19011700243928389, 0.011403329444557171, 0.35862072046688392,
               0.170816925164989, 0.15281814309092731, 0.63849329996172666,
               0.15868516322744061, 0.58566280565521578, 0.1308471689520965,
               0.57122605214911515, 0.14691839008716959, 0.14037280579421069},
              {0.020387000459557516, 0.021344402118457815, 0.022094671190740867,
               0.023437401610067202, 0.037402527819592898,
               0.042000663468250383}};
    }

    /// Walkington's rule of degree 5 has three orbits of the symmetric group.
    QuadratureRule
    tetrahedron_14()
    {
      const double a = 0.31088591926330061, a0 = 1 - 3 * a;
      const double b = 0.092735250310891248, b0 = 1 - 3 * b;
      const double c = 0.045503704125649642, c0 = 0.5 - c;
      const double wa = 0.01878132095300265, wb = 0.012248840519393659;
      const double wc = 0.0070910034628469121;
      return {{a0, a, a, a,  a0, a,  a, a,  a0, a, a,  a,  b,  b,
               b,  b, b, b0, b,  b0, b, b0, b,  b, c,  c,  c0, c,
               c0, c, c, c0, c0, c0, c, c,  c0, c, c0, c0, c0, c},
              {wa, wa, wa, wa, wb, wb, wb, wb, wc, wc, wc, wc, wc, wc}};
    }

    QuadratureRule
    tensor_rule(const int dim, const int n)
    {
      const std::vector<double> x = gauss_points(n), w = gauss_weights(n);
      QuadratureRule rule;
      const int n_points = dim == 1 ? n : dim == 2 ? n * n : n * n * n;
      for (int q = 0; q < n_points; ++q)
        {
          double weight = 1;
          for (int d = 0, rest = q; d < dim; ++d, rest /= n)
            {
              rule.points.push_back(x[rest % n]);
              weight *= w[rest % n];
            }
          rule.weights.push_back(weight);
        }
      return rule;
    }
  } // namespace


  QuadratureRule
  simplex_rule(const int dim, const int n)
  {
    if (dim == 1)
      return tensor_rule(1, n);
    if (dim < 1 || dim > 3 || n < 2 || n > 3)
      throw std::out_of_range(
        "rule " + std::to_string(n) + " on a simplex of dimension " +
        std::to_string(dim) + ", legal are 2 and 3 in dimensions 2 and 3");
    if (dim == 2)
      return n == 2 ? triangle_4() : triangle_7();
    return n == 2 ? tetrahedron_6() : tetrahedron_14();
  }


  QuadratureRule
  cell_rule(const CellType type, const int degree)
  {
    return is_simplex(type) ? simplex_rule(dimension(type), degree + 1)
                            : tensor_rule(dimension(type), degree + 1);
  }

  /// The centroid, or the points of an orbit of the symmetric group.
  QuadratureRule
  gradient_rule(const CellType type, const int degree)
  {
    const int dim = dimension(type);
    if (!is_simplex(type) || dim < 2 || degree < 1 || degree > 2)
      throw std::out_of_range("no rule for gradients of degree " +
                              std::to_string(degree) + " on " +
                              to_string(type));
    const double volume = dim == 2 ? 1. / 2 : 1. / 6;
    if (degree == 1)
      return {std::vector<double>(dim, 1. / (dim + 1)), {volume}};
    const double a = dim == 2 ? 1. / 6 : (5 - std::sqrt(5.)) / 20;
    QuadratureRule rule;
    for (int v = 0; v <= dim; ++v)
      {
        for (int d = 0; d < dim; ++d)
          rule.points.push_back(v == d + 1 ? 1 - dim * a : a);
        rule.weights.push_back(volume / (dim + 1));
      }
    return rule;
  }
} // namespace tessera
