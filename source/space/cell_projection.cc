#include <tessera/base/parallel_vector.h>
#include <tessera/space/cell_projection.h>
#include <tessera/space/geometry.h>
#include <tessera/space/local_entry.h>
#include <tessera/space/point_evaluator.h>
#include <tessera/space/quadrature.h>
#include <tessera/space/reference_cell.h>

namespace tessera
{
  namespace
  {
    /// Returns det J at the points of a cell times their weights, [nq].
    template <int dim>
    void
    volumes(const Space &space, const std::size_t cell,
            const QuadratureRule &rule, const std::vector<double> &gradients,
            std::vector<double> &dx)
    {
      const std::size_t nv = space.vertices_per_cell(), nq = dx.size();
      for (std::size_t q = 0; q < nq; ++q)
        {
          double j[dim][dim] = {};
          for (int a = 0; a < dim; ++a)
            for (int b = 0; b < dim; ++b)
              if (space.geometry == Geometry::quadrature)
                j[a][b] =
                  space.jacobians[((cell * nq + q) * dim + a) * dim + b];
              else
                for (std::size_t v = 0; v < nv; ++v)
                  j[a][b] +=
                    gradients[(q * nv + v) * dim + b] *
                    space.vertices[std::size_t(dim) *
                                     space.cell_vertices[cell * nv + v] +
                                   a];
          dx[q] = rule.weights[q] * determinant(j);
        }
    }
  } // namespace


  std::vector<double>
  projected_functions(const CellType type, const int degree,
                      const std::vector<double> &points)
  {
    const int m = n_projected(type, degree), dim = dimension(type);
    std::vector<double> functions;
    for (std::size_t p = 0; p < points.size(); p += dim)
      for (int k = 0; k < m; ++k)
        functions.push_back(k == 0 ? 1. : points[p + k - 1] - 0.5);
    return functions;
  }


  std::vector<double>
  inverse_gram(const std::vector<double> &functions,
               const std::vector<double> &dx)
  {
    // Gauss-Jordan elimination of [M | I]; pivots of such a matrix are > 0.
    const std::size_t m = functions.size() / dx.size(), width = 2 * m;
    std::vector<double> rows(m * width, 0.), inverse;
    for (std::size_t k = 0; k < m; ++k)
      {
        rows[k * width + m + k] = 1;
        for (std::size_t l = 0; l < m; ++l)
          for (std::size_t q = 0; q < dx.size(); ++q)
            rows[k * width + l] +=
              dx[q] * functions[q * m + k] * functions[q * m + l];
      }
    for (std::size_t k = 0; k < m; ++k)
      {
        const double pivot = rows[k * width + k];
        for (std::size_t j = 0; j < width; ++j)
          rows[k * width + j] /= pivot;
        for (std::size_t i = 0; i < m; ++i)
          if (const double factor = rows[i * width + k]; i != k)
            for (std::size_t j = 0; j < width; ++j)
              rows[i * width + j] -= factor * rows[k * width + j];
      }
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t l = 0; l < m; ++l)
        inverse.push_back(rows[k * width + m + l]);
    return inverse;
  }


  std::vector<double>
  projection_matrices(const Space &space, const Coefficient &coefficient,
                      double (*const kappa)(const double *values, int dim))
  {
    if (coefficient.packed)
      return projection_matrices(space, on_host(coefficient), kappa);
    const QuadratureRule rule = cell_rule(space.cell_type, space.degree);
    const auto functions =
      projected_functions(space.cell_type, space.degree, rule.points);
    const auto gradients = vertex_gradients(space.cell_type, rule.points);
    const int m          = n_projected(space.cell_type, space.degree);
    const int entries = n_local_entries(true, m), dim = space.dim();
    const std::size_t nq = rule.weights.size();
    const bool varies =
      coefficient.kind == Coefficient::Kind::per_quadrature_point;
    auto result =
      parallel_vector<double>(std::size_t(space.n_cells()) * entries);
#pragma omp parallel for schedule(static)
    for (int cell = 0; cell < space.n_cells(); ++cell)
      {
        std::vector<double> dx(nq), weighted(m * m, 0.), half(m * m, 0.);
        if (dim == 2)
          volumes<2>(space, cell, rule, gradients, dx);
        else
          volumes<3>(space, cell, rule, gradients, dx);
        const auto inverse = inverse_gram(functions, dx);
        for (std::size_t q = 0; q < nq; ++q)
          {
            const std::size_t place =
              coefficient.kind == Coefficient::Kind::uniform ? 0
              : varies                                       ? cell * nq + q
                                                             : cell;
            const double factor =
              dx[q] *
              kappa(&coefficient.values[place * coefficient.n_components], dim);
            for (int k = 0; k < m; ++k)
              for (int l = 0; l < m; ++l)
                weighted[k * m + l] +=
                  factor * functions[q * m + k] * functions[q * m + l];
          }
        for (int k = 0; k < m; ++k)
          for (int l = 0; l < m; ++l)
            for (int i = 0; i < m; ++i)
              half[k * m + l] += inverse[k * m + i] * weighted[i * m + l];
        for (int k = 0; k < m; ++k)
          for (int l = k; l < m; ++l)
            for (int i = 0; i < m; ++i)
              result[std::size_t(cell) * entries +
                     local_entry(true, m, k, l)] +=
                half[k * m + i] * inverse[i * m + l];
      }
    return result;
  }
} // namespace tessera
