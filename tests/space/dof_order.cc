#include "cell_meshes.h"
#include "numberings.h"
#include "test.h"

#include <cstdlib>
#include <random>

// Tests numberings that order nodes regardless of the order of cells.
using namespace tessera;

namespace
{
  /// Returns the mesh with its degrees of freedom in a random order. Sets `at`
  /// to the index that each had before.
  Connectivity
  shuffled(Connectivity mesh, std::vector<int> &at)
  {
    at.resize(mesh.n_dofs);
    std::iota(at.begin(), at.end(), 0);
    std::shuffle(at.begin(), at.end(), std::mt19937(5));
    std::vector<int> now(mesh.n_dofs);
    const std::vector<char> constrained = mesh.constrained;
    for (int i = 0; i < mesh.n_dofs; ++i)
      {
        now[at[i]]          = i;
        mesh.constrained[i] = constrained[at[i]];
      }
    for (int &dof : mesh.cell_dofs)
      dof = now[dof];
    return mesh;
  }

  /// Returns the largest difference between owned degrees of freedom of a cell.
  int
  bandwidth(const Space &space)
  {
    const int n = space.dofs_per_cell();
    int result  = 0;
    for (int c = 0; c < space.n_cells(); ++c)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          {
            const int a = space.cell_dofs[n * c + i];
            const int b = space.cell_dofs[n * c + j];
            if (a < space.n_owned && b < space.n_owned)
              result = std::max(result, b - a);
          }
    return result;
  }

  /// Joins two meshes that share nothing; the second one is moved.
  Connectivity
  two_parts(const Connectivity &a, const Connectivity &b)
  {
    Connectivity both = a;
    both.n_dofs += b.n_dofs;
    both.n_vertices += b.n_vertices;
    for (const int dof : b.cell_dofs)
      both.cell_dofs.push_back(dof + a.n_dofs);
    for (const int vertex : b.cell_vertices)
      both.cell_vertices.push_back(vertex + a.n_vertices);
    for (const double x : b.vertices)
      both.vertices.push_back(x + 3);
    both.constrained.insert(both.constrained.end(), b.constrained.begin(),
                            b.constrained.end());
    return both;
  }

  template <class F>
  void
  for_each_grid(const F &f)
  {
    for (const CellType type : test::cell_types)
      for (int degree = 1; degree <= max_degree(type); ++degree)
        for (const bool dirichlet : {false, true})
          {
            SCOPED_TRACE(to_string(type) + ", degree " +
                         std::to_string(degree));
            f(test::turned(
              test::generated_mesh(type, degree, 5, 4, 3, dirichlet, 0.249)));
          }
  }
} // namespace

TEST(DofOrder, LexicographicKeepsTheRowsOfADistortedGrid)
{
  // The generator's degrees of freedom are in lexicographic order.
  for_each_grid([](const Connectivity &mesh) {
    std::vector<int> at;
    const Space space = build_space(shuffled(mesh, at), "lexicographic");
    for (int i = 0; i + 1 < mesh.n_dofs; ++i)
      if (i + 1 != space.n_owned)
        {
          ASSERT_LT(at[space.mesh_dof[i]], at[space.mesh_dof[i + 1]]) << i;
        }
  });
}

TEST(DofOrder, LexicographicIsByPositionOnAnyMesh)
{
  // Nodes of degree 1 that are further apart in y than two sides of a cell must
  // be in the order of y.
  const Space space =
    build_space(test::unstructured_mesh(1, 3), "lexicographic");
  const double side = 0.25;
  double highest    = -10;
  for (int i = 0; i < space.n_owned; ++i)
    {
      EXPECT_GT(space.vertices[2 * i + 1], highest - side);
      highest = std::max(highest, space.vertices[2 * i + 1]);
    }
}

TEST(DofOrder, LexicographicTellsTheNodesOfSmallCellsApart)
{
  // Rows differ much in height; vertices of a row have the same height.
  Connectivity mesh =
    test::generated_mesh(CellType::quadrilateral, 1, 12, 9, 1, false, 0);
  for (double &x : mesh.vertices)
    x = x * x * x * x + 0.001 * x;
  const Space space = build_space(mesh, "lexicographic");
  EXPECT_TRUE(std::is_sorted(space.mesh_dof.begin(), space.mesh_dof.end()));
}

TEST(DofOrder, HierarchicalStepsToANeighbour)
{
  // There are 16 by 16 nodes: each but the first follows its neighbour.
  GeneratedMesh m;
  m.n_x = m.n_y = 15;
  m.distortion  = 0;
  m.dirichlet   = false;
  std::vector<int> at;
  const Space space = build_space(shuffled(generate(m), at), "hierarchical");
  for (int i = 1; i < space.n_owned; ++i)
    {
      const int a = at[space.mesh_dof[i - 1]], b = at[space.mesh_dof[i]];
      EXPECT_EQ(std::abs(a % 16 - b % 16) + std::abs(a / 16 - b / 16), 1);
    }
}

TEST(DofOrder, HierarchicalRunsAreCompactForEveryCellType)
{
  // The nodes of a run lie in a box of a few times their share of the domain.
  for (const CellType type : test::cell_types)
    {
      const int dim = dimension(type), n = dim == 2 ? 32 : 16;
      std::vector<int> at;
      const Space space = build_space(
        shuffled(test::generated_mesh(type, 1, n - 1, n - 1, n - 1, false), at),
        "hierarchical");
      const int run = 64;
      double sum    = 0;
      for (int first = 0; first + run <= space.n_owned; first += run)
        {
          double box = 1;
          for (int d = 0, stride = 1; d < dim; ++d, stride *= n)
            {
              int low = n, high = 0;
              for (int i = first; i < first + run; ++i)
                {
                  const int x = at[space.mesh_dof[i]] / stride % n;
                  low         = std::min(low, x);
                  high        = std::max(high, x);
                }
              box *= high - low + 1;
            }
          sum += box;
        }
      EXPECT_LT(sum / (space.n_owned / run), 3 * run) << to_string(type);
    }
}

TEST(DofOrder, CuthillMcKeeHasASmallBandwidth)
{
  // In a strip of 64 by w boxes, distances from an end are steps of cells. For
  // either end, at most p (2 p w + 2) nodes have one distance: a column and a
  // row of the w by w boxes at an end. A degree of freedom sees its own
  // distance and the next.
  for (int p = 1; p <= 4; ++p)
    for (const int w : {1, 3, 5})
      for (const bool dirichlet : {false, true})
        {
          std::vector<int> at;
          const Connectivity mesh =
            shuffled(test::generated_mesh(p, 64, w, dirichlet && w > 1), at);
          EXPECT_LE(bandwidth(build_space(mesh, "cuthill_mckee")),
                    2 * p * (2 * p * w + 2))
            << p << ' ' << w;
        }
}

TEST(DofOrder, CuthillMcKeeIsAsGoodAsRowsForEveryCellType)
{
  for_each_grid([](const Connectivity &mesh) {
    std::vector<int> at;
    const Connectivity random = shuffled(mesh, at);
    const int rows            = bandwidth(build_space(random, "lexicographic"));
    EXPECT_LE(bandwidth(build_space(random, "cuthill_mckee")), 2 * rows);
  });
}

TEST(DofOrder, CuthillMcKeeTakesOnePartAfterTheOther)
{
  const Connectivity first  = test::generated_mesh(2, 20, 3);
  const Connectivity second = test::unstructured_mesh(2, 1, false);
  const auto alone          = [](const Connectivity &mesh) {
    std::vector<int> at;
    return bandwidth(build_space(shuffled(mesh, at), "cuthill_mckee"));
  };
  std::vector<int> at;
  const Connectivity both = shuffled(two_parts(first, second), at);
  const Space space       = build_space(both, "cuthill_mckee");
  int n_changes           = 0;
  for (int i = 1; i < space.n_owned; ++i)
    n_changes += (at[space.mesh_dof[i - 1]] < first.n_dofs) !=
                 (at[space.mesh_dof[i]] < first.n_dofs);
  EXPECT_EQ(n_changes, 1);
  EXPECT_LE(bandwidth(space), 2 * std::max(alone(first), alone(second)));
}

TEST(DofOrder, CuthillMcKeeOfAPathIsThePath)
{
  // In this row of cells, only the upper nodes are free.
  Connectivity mesh = test::generated_mesh(1, 9, 1, false);
  for (int i = 0; i < 10; ++i)
    mesh.constrained[i] = 1;
  std::vector<int> at;
  const Space space = build_space(shuffled(mesh, at), "cuthill_mckee");
  ASSERT_EQ(space.n_owned, 10);
  EXPECT_EQ(bandwidth(space), 1);
}
