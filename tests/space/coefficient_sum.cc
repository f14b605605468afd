#include <tessera/space/cell_evaluator.h>
#include <tessera/space/generator.h>
#include <tessera/space/point_evaluator.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "test.h"

using namespace tessera;

namespace
{
  using Kind = Coefficient::Kind;

  constexpr double eps = std::numeric_limits<double>::epsilon();

  std::shared_ptr<const Space>
  make_space(const CellType type, const int degree)
  {
    GeneratedMesh mesh;
    mesh.cell_type  = type;
    mesh.n_x        = 13;
    mesh.n_y        = 3;
    mesh.n_z        = 1;
    mesh.degree     = degree;
    mesh.distortion = 0.15;
    return std::make_shared<const Space>(build_space(generate(mesh)));
  }

  std::vector<double>
  numbers(const std::size_t n, const double seed)
  {
    std::vector<double> result(n);
    for (std::size_t i = 0; i < n; ++i)
      result[i] = std::sin(seed + 3. * static_cast<double>(i));
    return result;
  }

  Coefficient
  coefficient(const Space &space, const Kind kind, const int n)
  {
    const std::size_t n_cells  = kind == Kind::uniform ? 1 : space.n_cells(),
                      n_points = kind == Kind::per_quadrature_point
                                   ? space.points_per_cell()
                                   : 1;
    return {kind, n, numbers(n_cells * n_points * n, n + 0.1)};
  }

  /// Returns the values at all points, [cells][points][components].
  std::vector<double>
  at_points(const Coefficient &c, const Space &space)
  {
    std::vector<int> cells(space.n_cells());
    std::iota(cells.begin(), cells.end(), 0);
    return values_of_cells(c, cells, space.points_per_cell());
  }

  /// Returns the coefficient in the memory of the backend.
  Coefficient
  in_memory_of(const std::shared_ptr<const CellData<double>> &cells,
               const Coefficient &c)
  {
    std::vector<CoefficientTerm> terms;
    for (int i = 0; i < c.n_components; ++i)
      terms.push_back({i, 1., &c, i});
    const Coefficient result =
      sum_of_terms(c.n_components, terms, cells->space(), cells);
    EXPECT_NE(result.packed, nullptr);
    EXPECT_EQ(at_points(result, cells->space()), at_points(c, cells->space()));
    return result;
  }

  void
  expect_near(const std::vector<double> &found,
              const std::vector<double> &expected)
  {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], expected[i], 20 * eps) << i;
  }
} // namespace


TEST(CoefficientSum, IsTheSumAtEveryPoint)
{
  const auto space = make_space(CellType::quadrilateral, 2);
  for (const Backend backend : test::backends())
    for (const Kind of_a :
         {Kind::uniform, Kind::per_cell, Kind::per_quadrature_point})
      for (const Kind of_b :
           {Kind::uniform, Kind::per_cell, Kind::per_quadrature_point})
        {
          const auto cells =
            std::make_shared<const CellData<double>>(space, backend);
          const Coefficient a = coefficient(*space, of_a, 3),
                            b = coefficient(*space, of_b, 2);
          const auto sum = [&](const Coefficient &a, const Coefficient &b) {
            return sum_of_terms(
              2, {{1, 2., &a, 2}, {0, -1.5, &a, 0, &b, 1}, {1, 0.5, &b, 0}},
              *space);
          };
          const auto at_a = at_points(a, *space), at_b = at_points(b, *space);
          std::vector<double> expected;
          for (std::size_t i = 0; i < at_a.size() / 3; ++i)
            {
              expected.push_back(-1.5 * at_a[3 * i] * at_b[2 * i + 1]);
              expected.push_back(2 * at_a[3 * i + 2] + 0.5 * at_b[2 * i]);
            }
          const Coefficient host = sum(a, b);
          EXPECT_EQ(host.packed, nullptr);
          EXPECT_EQ(host.kind, std::max(of_a, of_b));
          expect_near(at_points(host, *space), expected);
          const Coefficient packed_a = in_memory_of(cells, a),
                            packed_b = in_memory_of(cells, b);
          for (const Coefficient *const other : {&b, &packed_b})
            {
              const Coefficient packed = sum(packed_a, *other);
              EXPECT_NE(packed.packed, nullptr);
              EXPECT_EQ(packed.kind, Kind::per_quadrature_point);
              expect_near(at_points(packed, *space), expected);
            }
          expect_near(at_points(sum(a, packed_b), *space), expected);
          const std::vector<CoefficientTerm> many(17, {0, 1., &a});
          EXPECT_THROW(sum_of_terms(1, many, *space), std::length_error);
        }
}


TEST(CoefficientSum, TakesFunctionsOfTheSpace)
{
  const auto space = make_space(CellType::hexahedron, 2);
  const auto u     = numbers(space->n_local(), 0.3);
  const CellEvaluator host(*space, 1);
  const int nq = host.n_points();
  std::vector<double> expected(std::size_t(space->n_cells()) * nq);
  host.sum<1>(u.data(), [&](const CellEvaluator::Batch &batch, auto &) {
    for (int lane = 0; lane < batch.n_cells; ++lane)
      for (int q = 0; q < nq; ++q)
        expected[(batch.first + lane) * nq + q] = batch.value(0, q, lane);
  });
  for (const Backend backend : test::backends())
    expect_near(
      at_points(values_at_points(
                  std::make_shared<const CellData<double>>(space, backend), u),
                *space),
      expected);
}
