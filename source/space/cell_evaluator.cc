#include <tessera/space/cell_evaluator.h>

#include <cmath>
#include <type_traits>
#include <utility>

#include "cell_evaluator_kernels.h"

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

    QuadratureRule
    own_rule(const Space &space)
    {
      return cell_rule(is_simplex(space.cell_type) ? space.cell_type
                                                   : CellType::line,
                       space.degree);
    }

    template <class Run>
    void
    on_host(const Run &run)
    {
      on_target(Backend::host, [&](const auto target) {
        if constexpr (!std::is_same_v<decltype(target), const Cuda>)
          run(target);
      });
    }
  } // namespace


  CellEvaluator::CellEvaluator(const Space &space, const QuadratureRule &rule,
                               const int n_components)
    : of_cells(space), n_components(n_components)
  {
    const CellType type = space.cell_type;
    const bool curved   = space.geometry == Geometry::quadrature;
    const auto &points  = rule.points;
    weights             = rule.weights;
    if (is_simplex(type))
      {
        function = simplex_tables(type, space.degree, points);
        map      = curved ? of_stored_points(space, function)
                          : simplex_tables(type, 1, points);
        return;
      }
    function =
      lagrange_tables(type, gauss_lobatto_points(space.degree + 1), points);
    map = lagrange_tables(type,
                          curved ? gauss_points(space.degree + 1)
                                 : std::vector<double>{0., 1.},
                          points);
    for (int d = 1; d < space.dim(); ++d)
      {
        std::vector<double> product;
        for (const double slow : rule.weights)
          for (const double fast : weights)
            product.push_back(slow * fast);
        weights = std::move(product);
      }
  }


  CellEvaluator::CellEvaluator(const Space &space, const int n_components)
    : CellEvaluator(space, own_rule(space), n_components)
  {}


  CellEvaluator::Batch
  CellEvaluator::make_batch() const
  {
    const auto array = [](const std::size_t n) {
      return Array<double>(Backend::host, n * lanes);
    };
    const std::size_t nq = n_points(), dim = of_cells.dim(), nc = n_components;
    Batch batch;
    batch.dim       = of_cells.dim();
    batch.n_points  = n_points();
    batch.of_dx     = array(nq);
    batch.points    = array(dim * nq);
    batch.values    = array(nc * nq);
    batch.gradients = array(std::max<std::size_t>(nc, 1) * dim * nq);
    batch.jacobians = array(dim * dim * nq);
    batch.nodes =
      array(std::max({of_cells.dofs_per_cell(), of_cells.vertices_per_cell(),
                      map.n, of_cells.points_per_cell()}));
    batch.scratch =
      Array<double>(Backend::host, std::max(interpolation_scratch(function),
                                            interpolation_scratch(map)));
    return batch;
  }


  void
  CellEvaluator::evaluate(const double *const u, const int b,
                          Batch &batch) const
  {
    const Space &s = of_cells;
    const int dim = s.dim(), nq = n_points(), nc = n_components;
    batch.first         = b * lanes;
    batch.n_cells       = std::min(lanes, s.n_cells() - batch.first);
    double *const nodes = batch.nodes.data();
    // Lanes behind the last cell repeat it.
    const auto gather = [&](const int n, const auto &value) {
      for (int lane = 0; lane < lanes; ++lane)
        {
          const std::size_t cell =
            batch.first + std::min(lane, batch.n_cells - 1);
          for (int i = 0; i < n; ++i)
            nodes[i * lanes + lane] = value(cell * n + i);
        }
    };
    on_host([&](const auto target) {
      for (int k = 0; k < dim; ++k)
        {
          if (s.geometry == Geometry::quadrature)
            gather(s.points_per_cell(),
                   [&](const std::size_t i) { return s.points[i * dim + k]; });
          else
            gather(s.vertices_per_cell(), [&](const std::size_t i) {
              return s.vertices[std::size_t(s.cell_vertices[i]) * dim + k];
            });
          interpolate_on(target, map, nodes,
                         batch.points.data() + k * nq * lanes,
                         batch.jacobians.data() + k * dim * nq * lanes,
                         batch.scratch.data());
        }
      for (int c = 0; c < nc; ++c)
        {
          gather(s.dofs_per_cell(), [&](const std::size_t i) {
            return u[std::size_t(s.cell_dofs[i]) * nc + c];
          });
          interpolate_on(target, function, nodes,
                         batch.values.data() + c * nq * lanes,
                         batch.gradients.data() + c * dim * nq * lanes,
                         batch.scratch.data());
        }
      map_gradients_on(target, dim, nc, weights, batch.jacobians.data(),
                       batch.gradients.data(), batch.of_dx.data());
    });
  }
} // namespace tessera
