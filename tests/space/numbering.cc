#include "cell_meshes.h"
#include "numberings.h"
#include "test.h"

#include <tessera/base/error.h>

#include <omp.h>

#include <string>

using namespace tessera;

namespace
{
  struct Case
  {
    std::string name;
    Connectivity mesh;
  };

  /// Returns meshes of 1, 31, 33 and more cells. Boundaries are natural if all
  /// of a small mesh would be constrained.
  std::vector<Case>
  cases(const int p)
  {
    return {{"1", test::generated_mesh(p, 1, 1, p > 1)},
            {"31", test::generated_mesh(p, 31, 1, p > 1)},
            {"33", test::generated_mesh(p, 3, 11)},
            {"1000", test::generated_mesh(p, 25, 40)},
            {"unstructured", test::unstructured_mesh(p)}};
  }

  template <class F>
  void
  for_each_space(const F &f)
  {
    for (int p = 1; p <= 4; ++p)
      for (const Case &c : cases(p))
        for (const std::string &numbering : test::numberings)
          for (const CellOrder order : test::cell_orders)
            {
              SCOPED_TRACE("degree " + std::to_string(p) + ", cells " + c.name +
                           ", " + numbering + ", " + to_string(order));
              f(c.mesh, build_space(c.mesh, numbering, order));
            }
  }

  /// A program brings a numbering of its own: from the last node to the first.
  NumberingDescriptor
  describe_backwards()
  {
    NumberingDescriptor d{"backwards", "from the last node to the first", ""};
    d.goes_by_blocks = true;
    d.number         = [](const Space &space, const Connectivity &mesh,
                  const std::vector<NodePlace> &place) {
      std::vector<int> order(mesh.n_dofs);
      for (int i = 0; i < mesh.n_dofs; ++i)
        order[i] = mesh.n_dofs - 1 - i;
      return number_in_order(space, mesh, place, order);
    };
    return d;
  }

  const Registration<NumberingDescriptor> registration(describe_backwards);

  bool
  is_permutation_of_range(std::vector<int> values)
  {
    std::sort(values.begin(), values.end());
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] != int(i))
        return false;
    return true;
  }

  bool
  all_owned(const Space &space, const int cell)
  {
    const int n = space.dofs_per_cell();
    return std::all_of(space.cell_dofs.begin() + n * cell,
                       space.cell_dofs.begin() + n * (cell + 1),
                       [&](const int dof) { return dof < space.n_owned; });
  }

  /// Counts the ends of ranges among (i0, i1): 0 inside, 2 at a vertex.
  int
  kind(const int degree, const int i)
  {
    const int i0 = i % (degree + 1), i1 = i / (degree + 1);
    return (i0 == 0 || i0 == degree) + (i1 == 0 || i1 == degree);
  }
} // namespace

TEST(Numbering, IsAPermutationWithTheTailLast)
{
  for_each_space([](const Connectivity &mesh, const Space &space) {
    EXPECT_TRUE(is_permutation_of_range(space.mesh_dof));
    EXPECT_TRUE(is_permutation_of_range(space.mesh_cell));
    ASSERT_EQ(space.mesh_dof.size(), std::size_t(mesh.n_dofs));
    EXPECT_EQ(space.n_owned + space.n_constrained, mesh.n_dofs);
    EXPECT_EQ(space.n_ghosts, 0);
    EXPECT_EQ(space.padding_index(), mesh.n_dofs);
    EXPECT_EQ(space.n_local(), mesh.n_dofs + 1);
    for (int i = 0; i < mesh.n_dofs; ++i)
      ASSERT_EQ(mesh.constrained[space.mesh_dof[i]] != 0, i >= space.n_owned);
  });
}

TEST(Numbering, CellsKeepTheirDegreesOfFreedomAndTheirPlace)
{
  for_each_space([](const Connectivity &mesh, const Space &space) {
    const int n = mesh.dofs_per_cell();
    ASSERT_EQ(space.n_cells(), mesh.n_cells());
    for (int c = 0; c < space.n_cells(); ++c)
      for (int i = 0; i < n; ++i)
        {
          const int from = space.mesh_cell[c];
          ASSERT_EQ(space.mesh_dof[space.cell_dofs[n * c + i]],
                    mesh.cell_dofs[n * from + i]);
          ASSERT_EQ(test::node_position(space, c, i),
                    test::node_position(mesh, from, i));
        }
  });
}

TEST(Numbering, LinearElementsShareIndicesWithVertices)
{
  for (const Case &c : cases(1))
    for (const std::string &numbering : test::numberings)
      {
        const Space space = build_space(c.mesh, numbering);
        EXPECT_EQ(space.cell_vertices, space.cell_dofs);
        EXPECT_EQ(space.vertices.size(), 2 * space.mesh_dof.size());
      }
}

TEST(Numbering, UnusedVerticesAreDropped)
{
  Connectivity mesh = test::generated_mesh(3, 4, 5);
  mesh.n_vertices += 2;
  mesh.vertices.resize(2 * mesh.n_vertices, 7.);
  EXPECT_EQ(build_space(mesh).vertices.size(), 2u * 5 * 6);
}

TEST(Numbering, InteriorCellsComeFirst)
{
  for_each_space([](const Connectivity &, const Space &space) {
    for (int c = 0; c < space.n_cells(); ++c)
      ASSERT_EQ(all_owned(space, c), c < space.n_interior_cells) << c;
  });
  EXPECT_EQ(build_space(test::generated_mesh(2, 9, 7)).n_interior_cells, 35);
}

TEST(Numbering, OrderIsKeptWithinInteriorAndBoundary)
{
  std::vector<Connectivity> meshes;
  for (int p = 1; p <= 4; ++p)
    meshes.push_back(test::generated_mesh(p, 9, 7));
  meshes.push_back(test::generated_mesh(1, 300, 120)); // for several threads
  for (const Connectivity &mesh : meshes)
    {
      const Space space = build_space(mesh);
      const int n       = space.n_interior_cells;
      for (int c = 0; c < space.n_cells(); ++c)
        ASSERT_EQ(all_owned(space, c), c < n) << c;
      const auto begin  = space.mesh_cell.begin();
      const auto middle = begin + space.n_interior_cells;
      EXPECT_TRUE(std::is_sorted(begin, middle));
      EXPECT_TRUE(std::is_sorted(middle, space.mesh_cell.end()));
    }
}

TEST(Numbering, FirstTouchGivesConsecutiveNumbers)
{
  for_each_space([](const Connectivity &, const Space &space) {
    if (space.numbering != "cell_first_touch" && space.numbering != "blocked")
      return;
    int next[2] = {0, space.n_owned};
    for (const int dof : space.cell_dofs)
      {
        int &expected = next[dof >= space.n_owned];
        ASSERT_LE(dof, expected);
        expected += dof == expected;
      }
  });
}

TEST(Numbering, BatchInterleavedInsidesAreConsecutiveOverLanes)
{
  for_each_space([](const Connectivity &, const Space &space) {
    if (space.numbering != "batch_interleaved")
      return;
    const int n = space.dofs_per_cell();
    for (int first = 0; first < space.n_cells(); first += cells_per_batch)
      {
        const int last = std::min(first + cells_per_batch, space.n_cells());
        for (int i = 0; i < n; ++i)
          for (int c = first + 1; c < last; ++c)
            ASSERT_TRUE(kind(space.degree, i) > 0 ||
                        space.cell_dofs[n * c + i] ==
                          space.cell_dofs[n * (c - 1) + i] + 1);
      }
  });
}

TEST(Numbering, BatchInterleavedVisitsInsidesThenEdgesThenVertices)
{
  for_each_space([](const Connectivity &, const Space &space) {
    if (space.numbering != "batch_interleaved")
      return;
    const int n = space.dofs_per_cell();
    std::vector<char> seen(space.n_local(), 0);
    int next[2] = {0, space.n_owned};
    for (int first = 0; first < space.n_cells(); first += cells_per_batch)
      for (int pass = 0; pass < 3; ++pass)
        for (int i = 0; i < n; ++i)
          for (int lane = 0; lane < cells_per_batch; ++lane)
            if (kind(space.degree, i) == pass && first + lane < space.n_cells())
              {
                const int dof = space.cell_dofs[n * (first + lane) + i];
                if (!seen[dof])
                  {
                    ASSERT_EQ(dof, next[dof >= space.n_owned]++);
                  }
                seen[dof] = 1;
              }
  });
}

TEST(Numbering, DoesNotDependOnTheNumberOfThreads)
{
  const int n_threads = omp_get_max_threads();
  for (const Connectivity &mesh :
       {test::generated_mesh(2, 100, 90),
        test::generated_mesh(CellType::tetrahedron, 2, 11, 10, 9),
        test::unstructured_mesh(3, 3)})
    for (const std::string &numbering : test::numberings)
      {
        omp_set_num_threads(1);
        const Space alone = build_space(mesh, numbering, CellOrder::hilbert);
        for (const int n : {2, 3, 7})
          {
            omp_set_num_threads(n);
            const Space space =
              build_space(mesh, numbering, CellOrder::hilbert);
            EXPECT_EQ(space.mesh_dof, alone.mesh_dof) << numbering;
            EXPECT_EQ(space.cell_dofs, alone.cell_dofs) << numbering;
            EXPECT_EQ(space.vertices, alone.vertices) << numbering;
          }
      }
  omp_set_num_threads(n_threads);
}

TEST(Numbering, UntouchedDegreesOfFreedomAreRefused)
{
  Connectivity mesh = test::generated_mesh(2, 4, 5);
  mesh.n_dofs += 2;
  mesh.constrained.resize(mesh.n_dofs, 0);
  for (const std::string &numbering : test::numberings)
    EXPECT_THROW(build_space(mesh, numbering), MeshError);
}

TEST(Numbering, AProgramHasItsOwn)
{
  const Connectivity mesh = test::generated_mesh(2, 5, 4);
  const Space space       = build_space(mesh, "backwards");
  EXPECT_EQ(space.numbering, "backwards");
  EXPECT_EQ(space.cell_order, CellOrder::blocked);
  for (int i = 1; i < space.n_owned; ++i)
    EXPECT_LT(space.mesh_dof[i], space.mesh_dof[i - 1]);
}

TEST(Numbering, UnknownOnesAreRefusedWithTheLegalOnes)
{
  try
    {
      build_space(test::generated_mesh(1, 2, 2), "natural");
      FAIL() << "no error";
    }
  catch (const ParameterError &error)
    {
      EXPECT_EQ(std::string(error.what()),
                "The numbering 'natural' does not exist; it is aligned, "
                "backwards, batch_interleaved, blocked, blocked_aligned, "
                "cell_first_touch, cuthill_mckee, hierarchical or "
                "lexicographic.");
    }
}

TEST(Numbering, NamesRoundTrip)
{
  for (const std::string &numbering : test::numberings)
    EXPECT_EQ(numbering_descriptor(numbering).name, numbering);
  for (const CellOrder order : test::cell_orders)
    EXPECT_EQ(cell_order_from_string(to_string(order)), order);
  EXPECT_THROW(numbering_descriptor("natural"), ParameterError);
  EXPECT_THROW(cell_order_from_string(""), ParameterError);
}

TEST(Numbering, QuadraturePointsAreInTheirCells)
{
  // Bilinear images of symmetric points have the cell's centre as their mean.
  const Space space                = build_space(test::unstructured_mesh(3));
  const std::vector<double> points = quadrature_points(space);
  ASSERT_EQ(points.size(), 2u * 16 * space.n_cells());
  const std::vector<double> gauss = gauss_points(4);
  for (int c = 0; c < space.n_cells(); ++c)
    for (int d = 0; d < 2; ++d)
      {
        const auto corner = [&](const int v) {
          return space.vertices[2 * space.cell_vertices[4 * c + v] + d];
        };
        double mean = 0, center = 0;
        for (int q = 0; q < 16; ++q)
          mean += points[2 * (16 * c + q) + d] / 16;
        for (int v = 0; v < 4; ++v)
          center += corner(v) / 4;
        EXPECT_NEAR(mean, center, 1e-14);
        const double x = gauss[1], y = gauss[3];
        EXPECT_NEAR(points[2 * (16 * c + 3 * 4 + 1) + d],
                    (1 - x) * (1 - y) * corner(0) + x * (1 - y) * corner(1) +
                      (1 - x) * y * corner(2) + x * y * corner(3),
                    1e-14);
      }
}
