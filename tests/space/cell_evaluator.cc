#include <tessera/space/cell_evaluator.h>
#include <tessera/space/generator.h>
#include <tessera/space/geometry.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "reference.h"
#include "test.h"

using namespace tessera;

// Compares functions at points with sums over the nodes, which are written with
// the reference cells of the tests.
namespace
{
  constexpr double eps = std::numeric_limits<double>::epsilon();

  using Vector3 = test::Position;

  /// Returns numbers in [-1, 1] that tell indices apart.
  std::vector<double>
  numbers(const int n)
  {
    std::vector<double> result(n);
    for (int i = 0; i < n; ++i)
      result[i] = std::sin(1. + 3. * i);
    return result;
  }

  GeneratedMesh
  boxes(const CellType type, const int n_x, const int n_y, const int degree,
        const double distortion)
  {
    GeneratedMesh result;
    result.cell_type  = type;
    result.n_x        = n_x;
    result.n_y        = n_y;
    result.n_z        = 2;
    result.degree     = degree;
    result.distortion = distortion;
    return result;
  }

  /// The functions of a reference cell at a point.
  struct Functions
  {
    std::vector<double> values;
    std::vector<Vector3> gradients;

    Functions(const test::ReferenceCell &cell, const Vector3 &xi)
    {
      for (int i = 0; i < cell.n; ++i)
        {
          values.push_back(cell.value(i, xi));
          gradients.push_back(cell.gradient(i, xi));
        }
    }
  };

  /// A mesh whose cells are images of the reference cell under polynomials. The
  /// one of a curved cell has the degree of the element.
  struct Mesh
  {
    Connectivity cells;
    bool curved;
    test::ReferenceCell element, of_map;
    std::vector<Vector3> nodes; ///< of the maps, [n_cells][n]

    Mesh(const CellType type, const int degree, const Geometry geometry)
      : cells(generate(boxes(type, 3, dimension(type) == 2 ? 3 : 2, degree,
                             geometry == Geometry::affine ? 0. : 0.15))),
        curved(geometry == Geometry::quadrature), element(type, degree),
        of_map(type, curved ? degree : 1)
    {
      cells.geometry = geometry;
      set_nodes();
      if (!curved)
        return;
      std::vector<Functions> at_points;
      for (const auto &point : element.points)
        at_points.emplace_back(of_map, point);
      for (int c = 0; c < cells.n_cells(); ++c)
        for (const auto &functions : at_points)
          {
            Vector3 x;
            double j[3][3], scale;
            map(c, functions, x, j, scale);
            for (int k = 0; k < cells.dim(); ++k)
              {
                cells.points.push_back(x[k]);
                for (int d = 0; d < cells.dim(); ++d)
                  cells.jacobians.push_back(j[k][d]);
              }
          }
    }

    /// The image of a point of cell c, the Jacobian, and the size of the terms
    /// of which an entry is the sum.
    void
    map(const int c, const Functions &at_point, Vector3 &x, double (&j)[3][3],
        double &scale) const
    {
      x     = {0, 0, 0};
      scale = 0;
      for (auto &row : j)
        std::fill_n(row, 3, 0.);
      for (int i = 0; i < of_map.n; ++i)
        for (int k = 0; k < cells.dim(); ++k)
          {
            const double node = nodes[of_map.n * c + i][k];
            x[k] += at_point.values[i] * node;
            for (int d = 0; d < cells.dim(); ++d)
              {
                const double term = at_point.gradients[i][d] * node;
                j[k][d] += term;
                scale += std::abs(term);
              }
          }
    }

  private:
    void
    set_nodes()
    {
      const int dim = cells.dim(), nv = cells.vertices_per_cell();
      const test::ReferenceCell linear(cells.cell_type, 1);
      for (int c = 0; c < cells.n_cells(); ++c)
        for (const auto &xi : of_map.nodes)
          {
            Vector3 node = {0, 0, 0};
            for (int v = 0; v < nv; ++v)
              for (int d = 0; d < dim; ++d)
                node[d] +=
                  linear.value(v, xi) *
                  cells.vertices[dim * cells.cell_vertices[nv * c + v] + d];
            for (int d = 0; curved && d < dim; ++d)
              node[d] += 0.02 * std::sin(7 * node[(d + 1) % dim] + d);
            nodes.push_back(node);
          }
    }
  };

  /// The same by the definition of everything at a point of a cell of the mesh.
  template <int dim>
  void
  compare_point(const Mesh &mesh, const int c, const Functions &of_map,
                const Functions &functions, const double weight,
                const std::vector<double> &u, const int n_components,
                const CellEvaluator::Batch &batch, const int q, const int lane)
  {
    Vector3 x;
    double j3[3][3], scale, j[dim][dim], cofactor[dim][dim];
    mesh.map(c, of_map, x, j3, scale);
    for (int k = 0; k < dim; ++k)
      std::copy_n(j3[k], dim, j[k]);
    cofactors(j, cofactor);
    const double det = determinant(j, cofactor);
    // The relative error of det J, from the error of an entry of J.
    double largest = 0;
    for (const auto &row : cofactor)
      for (const double entry : row)
        largest = std::max(largest, std::abs(entry));
    const double error = 100 * eps * (1 + dim * dim * scale * largest / det);
    EXPECT_NEAR(batch.dx(q, lane), weight * det, error * weight * det);
    for (int d = 0; d < dim; ++d)
      EXPECT_NEAR(batch.x(d, q, lane), x[d], 100 * eps);
    const int n = mesh.element.n;
    for (int f = 0; f < n_components; ++f)
      {
        double value = 0, value_scale = 0, slope_scale = 0, slope[dim] = {};
        for (int i = 0; i < n; ++i)
          {
            const int node    = mesh.cells.cell_dofs[n * c + i];
            const double u_i  = u[node * n_components + f];
            const auto &of_xi = functions.gradients[i];
            const double term = u_i * functions.values[i];
            value += term;
            value_scale += std::abs(term);
            for (int k = 0; k < dim; ++k)
              for (int d = 0; d < dim; ++d)
                {
                  const double of_x = u_i * cofactor[k][d] / det * of_xi[d];
                  slope[k] += of_x;
                  slope_scale += std::abs(of_x);
                }
          }
        EXPECT_NEAR(batch.value(f, q, lane), value, 100 * eps * value_scale);
        for (int d = 0; d < dim; ++d)
          EXPECT_NEAR(batch.gradient(f, d, q, lane), slope[d],
                      error * slope_scale);
      }
  }

  /// Compares at all points of a rule; `xi` and `weights` belong to a cell.
  void
  compare(const Mesh &mesh, const CellEvaluator &evaluator,
          const std::vector<Vector3> &xi, const std::vector<double> &weights,
          const int n_components)
  {
    const Space &space = evaluator.space();
    const auto u       = numbers(mesh.cells.n_dofs * n_components);
    std::vector<double> local(space.n_local() * n_components, 0.);
    for (int i = 0; i < space.padding_index() * n_components; ++i)
      local[i] =
        u[space.mesh_dof[i / n_components] * n_components + i % n_components];
    ASSERT_EQ(evaluator.n_points(), static_cast<int>(xi.size()));
    std::vector<Functions> of_map, functions;
    for (const auto &point : xi)
      {
        of_map.emplace_back(mesh.of_map, point);
        functions.emplace_back(mesh.element, point);
      }
    auto batch  = evaluator.make_batch();
    int n_cells = 0;
    for (int b = 0; b < evaluator.n_batches(); ++b)
      {
        evaluator.evaluate(local.data(), b, batch);
        EXPECT_EQ(batch.first, n_cells);
        n_cells += batch.n_cells;
        for (int lane = 0; lane < batch.n_cells; ++lane)
          for (int q = 0; q < evaluator.n_points(); ++q)
            {
              const int c = space.mesh_cell[batch.first + lane];
              if (space.dim() == 2)
                compare_point<2>(mesh, c, of_map[q], functions[q], weights[q],
                                 u, n_components, batch, q, lane);
              else
                compare_point<3>(mesh, c, of_map[q], functions[q], weights[q],
                                 u, n_components, batch, q, lane);
            }
      }
    EXPECT_EQ(n_cells, space.n_cells());
  }

  /// Compares at the points of the cells' rule and of another one.
  void
  compare(const CellType type, const int degree, const Geometry geometry,
          const int n_components)
  {
    SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree) + ", " +
                 to_string(geometry));
    const Mesh mesh(type, degree, geometry);
    const Space space = build_space(mesh.cells);
    compare(mesh, CellEvaluator(space, n_components), mesh.element.points,
            mesh.element.weights, n_components);
    std::vector<Vector3> xi;
    std::vector<double> weights;
    const int dim = dimension(type);
    if (is_simplex(type))
      {
        const QuadratureRule rule = simplex_rule(dim, 4 - degree);
        for (std::size_t q = 0; q < rule.weights.size(); ++q)
          xi.push_back({rule.points[dim * q], rule.points[dim * q + 1],
                        dim == 3 ? rule.points[dim * q + 2] : 0.});
        return compare(mesh, CellEvaluator(space, rule, n_components), xi,
                       rule.weights, n_components);
      }
    const int m = degree + 3;
    const QuadratureRule rule{gauss_points(m), gauss_weights(m)};
    for (int k = 0; k < (dim == 3 ? m : 1); ++k)
      for (int j = 0; j < m; ++j)
        for (int i = 0; i < m; ++i)
          {
            xi.push_back(
              {rule.points[i], rule.points[j], dim == 3 ? rule.points[k] : 0.});
            weights.push_back(rule.weights[i] * rule.weights[j] *
                              (dim == 3 ? rule.weights[k] : 1.));
          }
    compare(mesh, CellEvaluator(space, rule, n_components), xi, weights,
            n_components);
  }

  class CellEvaluators : public testing::TestWithParam<CellType>
  {};
} // namespace


TEST_P(CellEvaluators, AgreeWithSumsOverNodes)
{
  for (int degree = 1; degree <= max_degree(GetParam()); ++degree)
    for (const Geometry geometry :
         {Geometry::vertices, Geometry::affine, Geometry::quadrature})
      compare(GetParam(), degree, geometry, 1);
}


TEST_P(CellEvaluators, HaveComponents)
{
  for (const int n : {0, 2, 3})
    compare(GetParam(), 2, Geometry::vertices, n);
}


INSTANTIATE_TEST_SUITE_P(
  CellTypes, CellEvaluators,
  testing::Values(CellType::quadrilateral, CellType::hexahedron,
                  CellType::triangle, CellType::tetrahedron),
  [](const auto &info) { return to_string(info.param); });


TEST(CellEvaluator, SumsHaveTheSameBitsForAnyNumberOfThreads)
{
  const Space space =
    build_space(generate(boxes(CellType::quadrilateral, 50, 41, 2, 0.15)));
  const auto u = numbers(space.n_local());
  const CellEvaluator evaluator(space, 1);
  const auto sum = [&](const int n_threads) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(n_threads);
    const auto result = evaluator.sum<2>(
      u.data(), [&](const CellEvaluator::Batch &batch, auto &sums) {
        for (int lane = 0; lane < batch.n_cells; ++lane)
          for (int q = 0; q < evaluator.n_points(); ++q)
            {
              sums[0] += batch.dx(q, lane);
              sums[1] += batch.value(0, q, lane) * batch.dx(q, lane);
            }
      });
    omp_set_num_threads(before);
    return result;
  };
  const auto one = sum(1);
  EXPECT_NEAR(one[0], 0.82, 2050 * eps);
  EXPECT_EQ(sum(2), one);
  EXPECT_EQ(sum(7), one);
}
