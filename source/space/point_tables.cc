#include "point_tables.h"

#include <utility>

namespace tessera
{
  namespace
  {
    /// Returns the coefficients of the functions of a table that have given
    /// values at its points, by least squares: [functions][points].
    std::vector<double>
    left_inverse(const InterpolationTables &t)
    {
      const int n = t.n, m = t.m;
      // [V^T V | V^T] becomes [1 | (V^T V)^-1 V^T].
      const int width = n + m;
      std::vector<double> a(n * width, 0.);
      for (int i = 0; i < n; ++i)
        {
          for (int j = 0; j < n; ++j)
            for (int q = 0; q < m; ++q)
              a[i * width + j] += t.values[i * m + q] * t.values[j * m + q];
          for (int q = 0; q < m; ++q)
            a[i * width + n + q] = t.values[i * m + q];
        }
      for (int k = 0; k < n; ++k) // the matrix is positive definite
        for (int i = 0; i < n; ++i)
          {
            const double factor = i == k ? 1 - 1 / a[k * width + k]
                                         : a[i * width + k] / a[k * width + k];
            for (int j = width - 1; j >= k; --j)
              a[i * width + j] -= factor * a[k * width + j];
          }
      std::vector<double> result;
      for (int i = 0; i < n; ++i)
        result.insert(result.end(), &a[i * width + n], &a[i * width] + width);
      return result;
    }

    /// The functions of points that a curved simplex stores, instead of nodes.
    InterpolationTables
    of_stored_points(const Space &space, const InterpolationTables &element)
    {
      const auto own =
        simplex_tables(space.cell_type, space.degree,
                       cell_rule(space.cell_type, space.degree).points);
      const auto inverse = left_inverse(own);
      const auto combine = [&](const std::vector<double> &table) {
        const int n_tables =
          static_cast<int>(table.size()) / element.n / element.m;
        std::vector<double> result(n_tables * own.m * element.m, 0.);
        for (int k = 0; k < n_tables; ++k)
          for (int p = 0; p < own.m; ++p)
            for (int i = 0; i < element.n; ++i)
              for (int q = 0; q < element.m; ++q)
                result[(k * own.m + p) * element.m + q] +=
                  inverse[i * own.m + p] *
                  table[(k * element.n + i) * element.m + q];
        return result;
      };
      return {space.cell_type, own.m, element.m, combine(element.values),
              combine(element.gradients)};
    }
  } // namespace


  PointTables
  point_tables(const Space &space, const QuadratureRule &rule)
  {
    const CellType type = space.cell_type;
    const bool curved   = space.geometry == Geometry::quadrature;
    const auto &points  = rule.points;
    PointTables tables;
    tables.weights = rule.weights;
    if (is_simplex(type))
      {
        tables.function = simplex_tables(type, space.degree, points);
        tables.map      = curved ? of_stored_points(space, tables.function)
                                 : simplex_tables(type, 1, points);
        return tables;
      }
    tables.function =
      lagrange_tables(type, gauss_lobatto_points(space.degree + 1), points);
    tables.map = lagrange_tables(type,
                                 curved ? gauss_points(space.degree + 1)
                                        : std::vector<double>{0., 1.},
                                 points);
    for (int d = 1; d < space.dim(); ++d)
      {
        std::vector<double> product;
        for (const double slow : rule.weights)
          for (const double fast : tables.weights)
            product.push_back(slow * fast);
        tables.weights = std::move(product);
      }
    return tables;
  }


  QuadratureRule
  own_rule(const Space &space)
  {
    return cell_rule(is_simplex(space.cell_type) ? space.cell_type
                                                 : CellType::line,
                     space.degree);
  }
} // namespace tessera
