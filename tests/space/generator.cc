#include "meshes.h"
#include "test.h"

#include <tessera/base/error.h>

#include <cmath>
#include <set>

using namespace tessera;

namespace
{
  GeneratedMesh
  parameters(const int n_x, const int n_y, const int degree)
  {
    GeneratedMesh result;
    result.n_x    = n_x;
    result.n_y    = n_y;
    result.degree = degree;
    return result;
  }
} // namespace

TEST(Generator, CountsAndValidity)
{
  for (int p = 1; p <= 4; ++p)
    for (const auto &[n_x, n_y] :
         {std::pair(1, 1), std::pair(31, 1), std::pair(3, 11)})
      {
        GeneratedMesh m         = parameters(n_x, n_y, p);
        m.distortion            = 0.249;
        const Connectivity mesh = generate(m);
        EXPECT_NO_THROW(mesh.check());
        EXPECT_EQ(mesh.n_cells(), n_x * n_y);
        EXPECT_EQ(mesh.n_dofs, (n_x * p + 1) * (n_y * p + 1));
        const int n_constrained =
          std::count(mesh.constrained.begin(), mesh.constrained.end(), 1);
        EXPECT_EQ(mesh.n_dofs - n_constrained, (n_x * p - 1) * (n_y * p - 1));
      }
}

TEST(Generator, CommonNodesAreAtOnePlace)
{
  const Connectivity mesh = test::generated_mesh(3, 5, 4);
  std::vector<test::Point> where(mesh.n_dofs, {-1, -1});
  for (int c = 0; c < mesh.n_cells(); ++c)
    for (int i = 0; i < mesh.dofs_per_cell(); ++i)
      {
        const test::Point point = test::node_position(mesh, c, i);
        test::Point &known      = where[mesh.cell_dofs[16 * c + i]];
        if (known[0] < 0)
          known = point;
        for (int d = 0; d < 2; ++d)
          EXPECT_NEAR(known[d], point[d], 1e-15);
      }
}

TEST(Generator, InnerVerticesMoveByAtMostTheDistortion)
{
  GeneratedMesh m         = parameters(40, 30, 1);
  const Connectivity mesh = generate(m);
  double largest          = 0;
  for (int v = 0; v < mesh.n_vertices; ++v)
    {
      const int x = v % 41, y = v / 41;
      const double dx = std::abs(mesh.vertices[2 * v] * 40 - x);
      const double dy = std::abs(mesh.vertices[2 * v + 1] * 40 - y);
      if (x == 0 || x == 40 || y == 0 || y == 30)
        {
          EXPECT_LT(dx + dy, 1e-13);
        }
      else
        {
          EXPECT_NE(dx, dy);
          largest = std::max({largest, dx, dy});
        }
    }
  EXPECT_LE(largest, 0.2 + 1e-13);
  EXPECT_GT(largest, 0.19);
}

TEST(Generator, SeedDecidesTheDistortion)
{
  GeneratedMesh m             = parameters(7, 9, 2);
  const std::vector<double> a = generate(m).vertices;
  EXPECT_EQ(a, generate(m).vertices);
  m.seed = 2;
  EXPECT_NE(a, generate(m).vertices);
}

TEST(Generator, TilesPermuteTheCells)
{
  GeneratedMesh m          = parameters(7, 5, 1);
  m.distortion             = 0;
  const Connectivity plain = generate(m);
  m.tile_x                 = 3;
  m.tile_y                 = 2;
  const Connectivity tiled = generate(m);
  EXPECT_EQ(plain.vertices, tiled.vertices);

  std::vector<int> order;
  for (int c = 0; c < tiled.n_cells(); ++c)
    {
      const int vertex = tiled.cell_vertices[4 * c];
      order.push_back(vertex / 8 * 7 + vertex % 8);
    }
  const std::vector<int> first = {0, 1, 2, 7, 8, 9, 3, 4, 5, 10, 11, 12, 6, 13};
  EXPECT_EQ(first, std::vector<int>(order.begin(), order.begin() + 14));
  EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 35u);
}

TEST(Generator, BadParametersAreRefused)
{
  const auto refuses = [](const auto &change) {
    GeneratedMesh m = parameters(2, 2, 1);
    change(m);
    EXPECT_THROW(generate(m), ParameterError);
  };
  refuses([](GeneratedMesh &m) { m.n_x = 0; });
  refuses([](GeneratedMesh &m) { m.n_y = -3; });
  refuses([](GeneratedMesh &m) { m.degree = 5; });
  refuses([](GeneratedMesh &m) { m.distortion = 0.25; });
  refuses([](GeneratedMesh &m) { m.distortion = std::nan(""); });
  refuses([](GeneratedMesh &m) { m.tile_x = -1; });
  refuses([](GeneratedMesh &m) {
    m.n_x    = 20000;
    m.n_y    = 20000;
    m.degree = 4;
  });
}
