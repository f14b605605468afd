#include "cell_meshes.h"
#include "test.h"

#include <tessera/base/error.h>

#include <cmath>
#include <map>
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

  template <class F>
  void
  for_each_type(const F &f)
  {
    for (const CellType type : test::cell_types)
      for (int p = 1; p <= max_degree(type); ++p)
        {
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(p));
          f(type, p);
        }
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
  for_each_type([](const CellType type, const int p) {
    const int n_z = dimension(type) == 3 ? 2 : 1;
    const Connectivity mesh =
      test::turned(test::generated_mesh(type, p, 4, 3, n_z));
    std::vector<test::Position> where(mesh.n_dofs, {-1, -1, -1});
    for (int c = 0; c < mesh.n_cells(); ++c)
      for (int i = 0; i < mesh.dofs_per_cell(); ++i)
        {
          const test::Position point = test::node_position(mesh, c, i);
          test::Position &known =
            where[mesh.cell_dofs[mesh.dofs_per_cell() * c + i]];
          if (known[0] < 0)
            known = point;
          for (int d = 0; d < 3; ++d)
            EXPECT_NEAR(known[d], point[d], 2e-15); // sums of 8 terms below 1
        }
    for (const test::Position &x : where)
      EXPECT_GE(x[0], 0);
  });
}

TEST(Generator, CellsFillTheDomainAndAreNotInverted)
{
  for_each_type([](const CellType type, const int p) {
    const bool solid        = dimension(type) == 3;
    GeneratedMesh m         = parameters(4, 3, p);
    m.n_z                   = 5;
    m.cell_type             = type;
    m.distortion            = 0.2499;
    const double side       = solid ? 5 : 4;
    const Connectivity mesh = test::turned(generate(m));
    EXPECT_NO_THROW(mesh.check());
    const test::ReferenceCell element(type, p), corners(type, 1);
    double volume = 0;
    for (int c = 0; c < mesh.n_cells(); ++c)
      {
        const auto determinant = [&](const test::Position &xi) {
          const auto point = test::map_point(mesh, corners, c, xi);
          const auto &j    = point.jacobian;
          double sum       = 0;
          for (int k = 0; k < 3; ++k)
            sum += j[0][k] * (j[1][(k + 1) % 3] * j[2][(k + 2) % 3] -
                              j[1][(k + 2) % 3] * j[2][(k + 1) % 3]);
          return sum;
        };
        for (const test::Position &node : element.nodes)
          EXPECT_GT(determinant(node), 0);
        for (std::size_t q = 0; q < element.points.size(); ++q)
          volume += element.weights[q] * determinant(element.points[q]);
      }
    const double exact = 12 / (side * side) * (solid ? 5 / side : 1);
    EXPECT_NEAR(volume, exact, 1e-13);
    const int n = (4 * p + 1) * (3 * p + 1) * (solid ? 5 * p + 1 : 1);
    EXPECT_EQ(mesh.n_dofs, n);
    const int n_free = (4 * p - 1) * (3 * p - 1) * (solid ? 5 * p - 1 : 1);
    EXPECT_EQ(std::count(mesh.constrained.begin(), mesh.constrained.end(), 0),
              n_free);
  });
}

TEST(Generator, SimplicesMeetFaceByFace)
{
  for (const CellType type : {CellType::triangle, CellType::tetrahedron})
    {
      const int n             = dimension(type) + 1;
      const Connectivity mesh = test::generated_mesh(type, 1, 4, 3, 5);
      std::map<std::set<int>, int> faces;
      for (int c = 0; c < mesh.n_cells(); ++c)
        for (int k = 0; k < n; ++k)
          {
            std::set<int> face;
            for (int v = 0; v < n; ++v)
              if (v != k)
                face.insert(mesh.cell_vertices[n * c + v]);
            ++faces[face];
          }
      int n_boundary = 0;
      for (const auto &[face, count] : faces)
        {
          EXPECT_LE(count, 2);
          n_boundary += count == 1;
        }
      EXPECT_EQ(n_boundary, n == 3 ? 2 * (4 + 3) : 4 * (12 + 15 + 20));
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

TEST(Generator, TilesOfBoxes)
{
  GeneratedMesh m          = parameters(2, 3, 1);
  m.cell_type              = CellType::hexahedron;
  m.n_z                    = 4;
  m.tile_x                 = 1;
  m.tile_y                 = 2;
  m.tile_z                 = 3;
  const Connectivity tiled = generate(m);
  std::vector<int> order;
  for (int c = 0; c < tiled.n_cells(); ++c)
    {
      const int vertex = tiled.cell_vertices[8 * c];
      order.push_back(vertex / 12 * 6 + vertex / 3 % 4 * 2 + vertex % 3);
    }
  const std::vector<int> first = {0,  2, 6,  8,  12, 14, 1,  3,  7,  9, 13,
                                  15, 4, 10, 16, 5,  11, 17, 18, 20, 19};
  EXPECT_EQ(first, std::vector<int>(order.begin(), order.begin() + 21));
  EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 24u);
}

TEST(Generator, LayersAreThoseOfTheWholeMesh)
{
  for_each_type([](const CellType type, const int p) {
    GeneratedMesh m          = parameters(4, 5, p);
    m.cell_type              = type;
    m.n_z                    = 5;
    const Connectivity whole = generate(m);
    const int n_cells        = whole.n_cells() / 5;
    const int n_points       = whole.n_vertices / 6;
    const int n_nodes        = whole.n_dofs / (5 * p + 1);
    for (const auto &[first, n] :
         {std::pair(0, 2), std::pair(1, 3), std::pair(4, 1), std::pair(2, 0)})
      {
        m.first_layer            = first;
        m.n_layers               = n;
        const Connectivity piece = generate(m);
        const int n_layers       = n == 0 ? 5 - first : n;
        ASSERT_EQ(piece.n_cells(), n_layers * n_cells);
        ASSERT_EQ(piece.n_dofs, (n_layers * p + 1) * n_nodes);
        ASSERT_EQ(piece.n_vertices, (n_layers + 1) * n_points);
        for (std::size_t i = 0; i < piece.vertices.size(); ++i)
          EXPECT_EQ(piece.vertices[i],
                    whole.vertices[i + whole.dim() * first * n_points]);
        for (int i = 0; i < piece.n_dofs; ++i)
          EXPECT_EQ(piece.constrained[i],
                    whole.constrained[i + first * p * n_nodes]);
        const int before = first * n_cells;
        for (std::size_t i = 0; i < piece.cell_dofs.size(); ++i)
          ASSERT_EQ(
            piece.cell_dofs[i] + first * p * n_nodes,
            whole.cell_dofs[i + std::size_t(before) * whole.dofs_per_cell()]);
        for (std::size_t i = 0; i < piece.cell_vertices.size(); ++i)
          ASSERT_EQ(piece.cell_vertices[i] + first * n_points,
                    whole.cell_vertices[i + std::size_t(before) *
                                              whole.vertices_per_cell()]);
      }
  });
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
  refuses([](GeneratedMesh &m) { m.first_layer = 2; });
  refuses([](GeneratedMesh &m) { m.first_layer = -1; });
  refuses([](GeneratedMesh &m) { m.n_layers = 3; });
  refuses([](GeneratedMesh &m) { m.cell_type = CellType::line; });
  refuses([](GeneratedMesh &m) {
    m.cell_type = CellType::triangle;
    m.degree    = 3;
  });
  refuses([](GeneratedMesh &m) {
    m.cell_type = CellType::hexahedron;
    m.n_z       = 0;
  });
  refuses([](GeneratedMesh &m) {
    m.cell_type = CellType::tetrahedron;
    m.n_x = m.n_y = m.n_z = 1000;
  });
  refuses([](GeneratedMesh &m) {
    m.n_x    = 20000;
    m.n_y    = 20000;
    m.degree = 4;
  });
}
