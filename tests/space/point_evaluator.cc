#include <tessera/base/error.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/cell_evaluator.h>
#include <tessera/space/coefficient_data.h>
#include <tessera/space/generator.h>
#include <tessera/space/point_evaluator.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "test.h"

using namespace tessera;

// Compares with the evaluator of the host, which is tested against sums over
// nodes.
namespace
{
  constexpr double eps = std::numeric_limits<double>::epsilon();

  std::vector<double>
  numbers(const std::size_t n)
  {
    std::vector<double> result(n);
    for (std::size_t i = 0; i < n; ++i)
      result[i] = std::sin(1. + 3. * static_cast<double>(i));
    return result;
  }

  /// A mesh of n_x by 3 (by 2) boxes. Curved cells have their points moved.
  std::shared_ptr<const Space>
  make_space(const CellType type, const int degree, const Geometry geometry,
             const int n_x = 11)
  {
    GeneratedMesh mesh;
    mesh.cell_type  = type;
    mesh.n_x        = n_x;
    mesh.n_y        = 3;
    mesh.n_z        = 2;
    mesh.degree     = degree;
    mesh.distortion = geometry == Geometry::affine ? 0. : 0.15;
    Space space     = build_space(generate(mesh));
    if (geometry == Geometry::affine)
      space.geometry = geometry;
    if (geometry == Geometry::quadrature)
      {
        space.points    = quadrature_points(space);
        const int dim   = space.dim();
        const auto from = space.points;
        for (std::size_t i = 0; i < from.size(); ++i)
          space.points[i] +=
            0.01 * std::sin(7 * from[i / dim * dim + (i + 1) % dim]);
        space.jacobians.assign(from.size() * dim, 1.); // unused here
        space.geometry = geometry;
      }
    return std::make_shared<const Space>(std::move(space));
  }

  /// Compares everything at all points of a rule.
  void
  compare(const std::shared_ptr<const Space> &shared,
          const QuadratureRule &rule, const int n_components,
          const Backend backend, const int points_at_once)
  {
    const Space &space = *shared;
    const auto cells =
      std::make_shared<const CellData<double>>(shared, backend);
    const auto u =
      numbers(static_cast<std::size_t>(space.n_local()) * n_components);
    const CellEvaluator host(space, rule, n_components);
    auto batch = host.make_batch();
    const PointEvaluator points(cells, rule, n_components, points_at_once);
    ASSERT_EQ(points.n_points(), host.n_points());
    const Array<double> on_backend(backend, u);
    PointPiece piece = points.make_piece();
    const int lanes  = cells->lanes();
    const int dim = space.dim(), nq = points.n_points();
    std::int64_t n_places = 0;
    int n_cells           = 0;
    for (int p = 0; p < points.n_pieces(); ++p)
      {
        points.evaluate(on_backend.data(), p, piece);
        n_places += piece.n;
        ASSERT_LE(piece.n, piece.pitch);
        const auto dx = piece.dx.to_vector(), x = piece.x.to_vector(),
                   values    = piece.values.to_vector(),
                   gradients = piece.gradients.to_vector();
        for (std::int64_t i = 0; i < piece.n; ++i)
          {
            const std::int64_t row = i / lanes;
            const int q            = static_cast<int>(row % nq);
            const auto cell =
              static_cast<int>(piece.first_cell + row / nq * lanes + i % lanes);
            if (cell >= space.n_cells())
              {
                ASSERT_EQ(dx[i], 0);
                continue;
              }
            n_cells += q == 0;
            const int b    = cell / CellEvaluator::lanes,
                      lane = cell % CellEvaluator::lanes;
            if (batch.first != b * CellEvaluator::lanes || batch.n_cells == 0)
              host.evaluate(u.data(), b, batch);
            const double size = std::abs(batch.dx(q, lane));
            ASSERT_NEAR(dx[i], batch.dx(q, lane), 1e-12 * size);
            for (int d = 0; d < dim; ++d)
              ASSERT_NEAR(x[d * piece.pitch + i], batch.x(d, q, lane),
                          100 * eps);
            for (int c = 0; c < n_components; ++c)
              {
                ASSERT_NEAR(values[c * piece.pitch + i],
                            batch.value(c, q, lane), 1e-13 * 100);
                for (int d = 0; d < dim; ++d)
                  ASSERT_NEAR(gradients[(c * dim + d) * piece.pitch + i],
                              batch.gradient(c, d, q, lane), 1e-10);
              }
          }
      }
    EXPECT_EQ(n_cells, space.n_cells());
    EXPECT_EQ(n_places, std::int64_t(cells->n_batches()) * lanes * nq);
  }

  QuadratureRule
  finer_rule(const CellType type, const int degree)
  {
    if (is_simplex(type))
      return simplex_rule(dimension(type), 4 - degree);
    return {gauss_points(degree + 3), gauss_weights(degree + 3)};
  }

  class PointEvaluators : public testing::TestWithParam<CellType>
  {};
} // namespace


TEST_P(PointEvaluators, AgreeWithTheHost)
{
  const CellType type = GetParam();
  for (const Backend backend : test::backends())
    for (int degree = 1; degree <= max_degree(type); ++degree)
      for (const Geometry geometry :
           {Geometry::vertices, Geometry::affine, Geometry::quadrature})
        {
          SCOPED_TRACE(to_string(backend) + ", degree " +
                       std::to_string(degree) + ", " + to_string(geometry));
          const auto space = make_space(type, degree, geometry, 3);
          compare(space, finer_rule(type, degree), 1, backend, 1 << 20);
        }
}


TEST_P(PointEvaluators, WorkInPieces)
{
  const CellType type = GetParam();
  for (const Backend backend : test::backends())
    for (const int n_components : {0, 2})
      for (const int n_x : {2, 11, 43}) // 6, 33 and 129 quadrilaterals
        compare(make_space(type, 1, Geometry::vertices, n_x),
                finer_rule(type, 1), n_components, backend, 1);
}


TEST_P(PointEvaluators, PackCoefficients)
{
  const CellType type = GetParam();
  const auto space    = make_space(type, 1, Geometry::vertices, 43);
  const int nq = space->points_per_cell(), n = n_symmetric(space->dim());
  std::vector<unsigned char> kinds(space->n_cells());
  for (int cell = 0; cell < space->n_cells(); ++cell)
    kinds[cell] = cell % 3 == 1;
  for (const Backend backend : test::backends())
    {
      // x + c in some cells and 5 in the others.
      const auto of_space =
        std::make_shared<const CellData<double>>(space, backend);
      const PointEvaluator points(of_space, 0);
      PackedCoefficient packed(of_space, n);
      const Array<unsigned char> of_cells(backend, kinds);
      PointPiece piece = points.make_piece();
      const Array<double> five(backend, std::vector<double>{5});
      std::vector<double> expected;
      for (int p = 0; p < points.n_pieces(); ++p)
        {
          points.evaluate(nullptr, p, piece);
          for (int c = 0; c < n; ++c)
            {
              auto values = piece.x.to_vector();
              for (double &value : values)
                value += c;
              const Array<double> on_backend(backend, values);
              packed.set(piece, c, on_backend.data(), 1, of_cells.data(), 0);
              packed.set(piece, c, five.data(), 0, of_cells.data(), 1);
            }
        }
      const auto x = quadrature_points(*space);
      std::vector<int> cells(space->n_cells());
      std::iota(cells.begin(), cells.end(), 0);
      const auto values = packed.in_cells(cells);
      ASSERT_EQ(values.size(), cells.size() * nq * n);
      for (std::size_t i = 0; i < values.size(); ++i)
        {
          const std::size_t point = i / n;
          ASSERT_NEAR(values[i],
                      kinds[point / nq] == 1
                        ? 5
                        : x[point * space->dim()] + static_cast<double>(i % n),
                      100 * eps);
        }
      const std::vector<int> some = {space->n_cells() - 1, 0, 31, 32};
      const auto of_some          = packed.in_cells(some);
      for (std::size_t k = 0; k < some.size(); ++k)
        for (int e = 0; e < nq * n; ++e)
          ASSERT_EQ(of_some[k * nq * n + e],
                    values[std::size_t(some[k]) * nq * n + e]);
      EXPECT_TRUE(packed.is_good(Legal::any));
      EXPECT_FALSE(
        packed.is_good(Legal::positive)); // all entries are about the same
    }
}


INSTANTIATE_TEST_SUITE_P(
  CellTypes, PointEvaluators,
  testing::Values(CellType::quadrilateral, CellType::hexahedron,
                  CellType::triangle, CellType::tetrahedron),
  [](const auto &info) { return to_string(info.param); });


TEST(PointEvaluator, SumsAndChecks)
{
  const auto space =
    make_space(CellType::quadrilateral, 2, Geometry::vertices, 29);
  for (const Backend backend : test::backends())
    {
      const auto of_space =
        std::make_shared<const CellData<double>>(space, backend);
      const PointEvaluator points(of_space, 0);
      PackedCoefficient f(of_space, 1);
      PointPiece piece = points.make_piece();
      const auto set   = [&](const double factor, const double shift) {
        for (int p = 0; p < points.n_pieces(); ++p)
          {
            points.evaluate(nullptr, p, piece);
            auto values = piece.x.to_vector();
            for (double &value : values)
              value = factor * value + shift;
            const Array<double> on_backend(backend, values);
            f.set(piece, 0, on_backend.data(), 1);
          }
      };
      // The mesh is 29 by 3 squares in the unit square or a part of it.
      const double width = 1, height = 3. / 29;
      set(1, -0.25);
      const auto sums = integrals(f);
      EXPECT_NEAR(sums[0], width * height * 0.25, 1e-14);
      EXPECT_GT(sums[1], sums[0]);
      EXPECT_EQ(integrals(f), sums);
      EXPECT_TRUE(f.is_good(Legal::any));
      EXPECT_FALSE(f.is_good(Legal::positive));
      EXPECT_FALSE(f.is_good(Legal::not_negative));
      set(1, 0.25);
      EXPECT_TRUE(f.is_good(Legal::positive));
      EXPECT_TRUE(f.is_good(Legal::not_negative));
      const auto positive = integrals(f);
      EXPECT_EQ(positive[0], positive[1]);
      set(0, 0);
      EXPECT_TRUE(f.is_good(Legal::not_negative));
      EXPECT_FALSE(f.is_good(Legal::positive));
      set(1, std::numeric_limits<double>::infinity());
      EXPECT_FALSE(f.is_good(Legal::any));

      PointSums squares(backend, 4);
      const std::vector<double> w = {1, 2, 0.5}, a = {1, 2, 3}, b = {0, 4, -1};
      const Array<double> on_w(backend, w), on_a(backend, a), on_b(backend, b);
      for (int call = 0; call < 5000; ++call) // more than wait at a time
        squares.add_squares(2, 3, on_w.data(), on_a.data(), on_b.data());
      EXPECT_EQ(squares.totals(),
                (std::vector<double>{0, 0, 5000 * (1 + 2 * 4 + 0.5 * 16),
                                     5000 * (2 * 16 + 0.5)}));
    }
}


TEST(PointEvaluator, KernelsReadPackedCoefficients)
{
  const auto space = make_space(CellType::triangle, 2, Geometry::vertices, 21);
  const int nq     = space->points_per_cell();
  for (const Backend backend : test::backends())
    {
      const auto of_space =
        std::make_shared<const CellData<double>>(space, backend);
      const PointEvaluator points(of_space, 0);
      auto packed      = std::make_shared<PackedCoefficient>(of_space, 1);
      PointPiece piece = points.make_piece();
      points.evaluate(nullptr, 0, piece);
      packed->set(piece, 0, piece.x.data(), 1);
      const Coefficient c{
        Coefficient::Kind::per_quadrature_point, 1, {}, packed};
      const Coefficient same = on_host(c);
      EXPECT_EQ(same.values.size(), std::size_t(space->n_cells()) * nq);
      EXPECT_EQ(values_of_cells(c, {3, 7}, nq),
                values_of_cells(same, {3, 7}, nq));
      const auto equal = [&](auto zero) {
        using Number = decltype(zero);
        const CellData<Number> cells(space, backend);
        const CoefficientData<Number> a(c, cells), b(same, cells);
        EXPECT_EQ(a.view().point_stride, b.view().point_stride);
        ASSERT_EQ(a.bytes(), b.bytes());
        std::vector<Number> of_a(a.bytes() / sizeof(Number)), of_b(of_a);
        const auto copy = [&](std::vector<Number> &to, const auto &from) {
          if (backend == Backend::host)
            std::copy_n(from.view().values, to.size(), to.begin());
          else
            runtime::copy(to.data(), from.view().values, from.bytes(),
                          runtime::Copy::device_to_host);
        };
        copy(of_a, a);
        copy(of_b, b);
        EXPECT_EQ(of_a, of_b);
        Coefficient wrong  = c;
        wrong.n_components = 3;
        EXPECT_THROW(CoefficientData<Number>(wrong, cells), std::length_error);
      };
      equal(1.);
      if (backend == Backend::cuda) // where both have as many lanes
        equal(1.f);
    }
}
