#pragma once

#include "../form_oracle.h"

// The energy of an orthotropic body at a point, as the text book has it.
namespace tessera::test
{
  /// Entry (a, b) of a symmetric tensor whose upper half begins at k(0).
  inline double
  tensor(const PointAt &point, const int dim, int a, int b)
  {
    constexpr int two[2][2]   = {{0, 1}, {1, 2}};
    constexpr int three[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    return point.k(dim == 2 ? two[a][b] : three[a][b]);
  }

  /// By strains in Voigt's notation and the stiffness as a matrix.
  inline double
  elastic_energy(const PointAt &point, const int dim, const FunctionAt &u,
                 const FunctionAt &v)
  {
    const int n_strains = n_symmetric(dim);
    const auto strain   = [&](const FunctionAt &w) {
      const auto &g = w.gradient;
      if (dim == 2)
        return std::array<double, 6>{g[0][0], g[1][1], g[0][1] + g[1][0]};
      return std::array<double, 6>{g[0][0],           g[1][1],
                                   g[2][2],           g[1][2] + g[2][1],
                                   g[0][2] + g[2][0], g[0][1] + g[1][0]};
    };
    const std::array<double, 6> e = strain(u), d = strain(v);
    double sum = 0;
    for (int a = 0; a < dim; ++a)
      for (int b = 0; b < dim; ++b)
        sum += d[a] * tensor(point, dim, a, b) * e[b];
    for (int s = dim; s < n_strains; ++s)
      sum += d[s] * point.k(n_strains + s - dim) * e[s];
    return sum;
  }

  /// The gradient whose strain differs by a multiple of b, the strain of a
  /// pressure (C b ~ I, tr b = 1), so that its trace is the projected one.
  inline FunctionAt
  b_bar(const PointAt &point, const int dim, const FunctionAt &u)
  {
    const auto c = [&](const int a, const int b) {
      return tensor(point, dim, a, b);
    };
    std::array<double, 3> b = {}; // Cramer's rule for C b = I
    double trace = 0, sum = 0;
    for (int i = 0; i < dim; ++i)
      {
        const auto entry = [&](const int r, const int s) {
          return s == i ? 1. : c(r, s);
        };
        b[i] = dim == 2
                 ? entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0)
                 : entry(0, 0) *
                       (entry(1, 1) * entry(2, 2) - entry(1, 2) * entry(2, 1)) -
                     entry(0, 1) *
                       (entry(1, 0) * entry(2, 2) - entry(1, 2) * entry(2, 0)) +
                     entry(0, 2) *
                       (entry(1, 0) * entry(2, 1) - entry(1, 1) * entry(2, 0));
        sum += b[i];
        trace += u.gradient[i][i];
      }
    FunctionAt result = u;
    for (int i = 0; i < dim; ++i)
      result.gradient[i][i] += (u.projected - trace) * b[i] / sum;
    return result;
  }
} // namespace tessera::test
