#pragma once

#include <tessera/matrix/sparse_matrix.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

/// Matrices of bilinear and trilinear functions on grids of boxes, without
/// meshes and forms.
namespace tessera::test
{
  /// A grid of n unknown nodes a direction, and n + 1 cells of size 1.
  struct Grid
  {
    int dim, n;

    int
    n_nodes() const
    {
      return dim == 2 ? n * n : n * n * n;
    }

    std::array<int, 3>
    place(const int node) const
    {
      return {node % n, node / n % n, dim == 2 ? 0 : node / n / n};
    }
  };

  /// Returns a_00, a_01, ... for a pair of functions on a cell, as
  /// int d_a phi_i d_b phi_j.
  using Products = std::array<std::array<double, 3>, 3>;

  /// Integrals over a unit cell; i and j are corners as bits.
  inline Products
  integrals(const int dim, const int i, const int j)
  {
    Products result{};
    for (int a = 0; a < dim; ++a)
      for (int b = 0; b < dim; ++b)
        {
          double product = 1;
          for (int d = 0; d < dim; ++d)
            {
              const bool p = i >> d & 1, q = j >> d & 1, same = p == q;
              if (d == a && d == b)
                product *= same ? 1. : -1.;
              else if (d == a)
                product *= p ? 0.5 : -0.5;
              else if (d == b)
                product *= q ? 0.5 : -0.5;
              else
                product *= same ? 1. / 3 : 1. / 6;
            }
          result[a][b] = product;
        }
    return result;
  }

  /// Adds up entry(cell, products, c, d) of all cells that two nodes share, for
  /// each pair of components. Nodes of the boundary have no unknowns.
  inline SparseMatrix
  grid_matrix(
    const Grid &grid, const int n_components,
    const std::function<double(const std::array<int, 3> &cell,
                               const Products &products, int c, int d)> &entry)
  {
    SparseMatrix A;
    A.n_columns = grid.n_nodes() * n_components;
    A.pattern.row_start.push_back(0);
    for (int node = 0; node < grid.n_nodes(); ++node)
      for (int c = 0; c < n_components; ++c)
        {
          const auto at = grid.place(node);
          for (int near = 0; near < (grid.dim == 2 ? 9 : 27); ++near)
            {
              const std::array<int, 3> step = {near % 3 - 1, near / 3 % 3 - 1,
                                               grid.dim == 2 ? 0
                                                             : near / 9 - 1};
              int other = 0, factor = 1;
              bool inside = true;
              for (int d = 0; d < grid.dim; ++d, factor *= grid.n)
                {
                  const int to = at[d] + step[d];
                  inside       = inside && to >= 0 && to < grid.n;
                  other += to * factor;
                }
              if (!inside)
                continue;
              for (int e = 0; e < n_components; ++e)
                {
                  double sum = 0;
                  for (int corner = 0; corner < 1 << grid.dim; ++corner)
                    {
                      std::array<int, 3> cell{};
                      int i = 0, j = 0;
                      bool shared = true;
                      for (int d = 0; d < grid.dim; ++d)
                        {
                          cell[d]     = at[d] + (corner >> d & 1);
                          const int p = 1 - (corner >> d & 1), q = p + step[d];
                          shared = shared && q >= 0 && q <= 1;
                          i |= p << d;
                          j |= (q & 1) << d;
                        }
                      if (shared)
                        sum += entry(cell, integrals(grid.dim, i, j), c, e);
                    }
                  A.pattern.columns.push_back(other * n_components + e);
                  A.values.push_back(sum);
                }
            }
          A.pattern.row_start.push_back(
            static_cast<std::int64_t>(A.values.size()));
        }
    return A;
  }

  /// -div(kappa grad u) with a factor for each direction.
  inline SparseMatrix
  grid_laplace(
    const Grid &grid,
    const std::function<std::array<double, 3>(const std::array<int, 3> &)>
      &kappa = [](const auto &) {
        return std::array<double, 3>{1, 1, 1};
      })
  {
    return grid_matrix(
      grid, 1,
      [&](const std::array<int, 3> &cell, const Products &products, int, int) {
        const auto k = kappa(cell);
        double sum   = 0;
        for (int d = 0; d < grid.dim; ++d)
          sum += k[d] * products[d][d];
        return sum;
      });
  }

  /// The same with a tensor that conducts 10^3 times better at 30 degrees to
  /// the first axis than across.
  inline SparseMatrix
  grid_turned(const Grid &grid)
  {
    const double xx = 0.75 + 0.25e-3, yy = 0.25 + 0.75e-3,
                 xy = 0.999 * std::sqrt(3.) / 4;
    return grid_matrix(
      grid, 1,
      [&](const std::array<int, 3> &, const Products &products, int, int) {
        return xx * products[0][0] + xy * (products[0][1] + products[1][0]) +
               yy * products[1][1];
      });
  }

  /// Elasticity with Lame's constants 1.5 and 1.
  inline SparseMatrix
  grid_elasticity(const Grid &grid)
  {
    return grid_matrix(grid, grid.dim,
                       [&](const std::array<int, 3> &, const Products &products,
                           const int c, const int e) {
                         double sum = 1.5 * products[c][e] + products[e][c];
                         for (int d = 0; d < grid.dim && c == e; ++d)
                           sum += products[d][d];
                         return sum;
                       });
  }

  inline std::vector<double>
  positions(const Grid &grid)
  {
    std::vector<double> result;
    for (int node = 0; node < grid.n_nodes(); ++node)
      for (int d = 0; d < grid.dim; ++d)
        result.push_back(grid.place(node)[d]);
    return result;
  }

  inline SparseMatrix
  diagonal_matrix(const int n)
  {
    SparseMatrix A;
    A.n_columns = n;
    A.pattern.row_start.push_back(0);
    for (int i = 0; i < n; ++i)
      {
        A.pattern.columns.push_back(i);
        A.values.push_back(1 + i % 3);
        A.pattern.row_start.push_back(i + 1);
      }
    return A;
  }

  /// Laplace on a line, with `n` rows.
  inline SparseMatrix
  line(const int n)
  {
    SparseMatrix A;
    A.n_columns = n;
    A.pattern.row_start.push_back(0);
    for (int i = 0; i < n; ++i)
      {
        for (int j = std::max(i - 1, 0); j <= std::min(i + 1, n - 1); ++j)
          {
            A.pattern.columns.push_back(j);
            A.values.push_back(i == j ? 2 : -1);
          }
        A.pattern.row_start.push_back(std::int64_t(A.values.size()));
      }
    return A;
  }

  /// Replaces some rows and their columns by rows of the identity.
  inline SparseMatrix
  with_given(SparseMatrix A, const std::function<bool(int)> &is_given)
  {
    for (int i = 0; i < A.n_rows(); ++i)
      for (auto k = A.pattern.row_start[i]; k < A.pattern.row_start[i + 1]; ++k)
        if (const int j = A.pattern.columns[k]; is_given(i) || is_given(j))
          A.values[k] = i == j ? 1 : 0;
    return A;
  }
} // namespace tessera::test
