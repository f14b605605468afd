#include <tessera/matrix/near_null_space.h>
#include <tessera/matrix/vertex_prolongation.h>

#include <cmath>

#include "hanging_mesh.h"
#include "test.h"

namespace tessera
{
  using namespace test;

  namespace
  {
    void
    check_positions(const Connectivity &mesh, const Space &space)
    {
      const auto expected = test::node_positions(mesh);
      const auto found    = tessera::node_positions(space);
      const int dim       = space.dim();
      ASSERT_EQ(found.size(), std::size_t(space.n_owned) * dim);
      for (int i = 0; i < space.n_owned; ++i)
        for (int d = 0; d < dim; ++d)
          EXPECT_NEAR(found[i * dim + d], expected[space.mesh_dof[i]][d],
                      1e-13);
    }

    /// Vertex functions add up to one and reproduce positions.
    void
    check_reproduction(const Space &space, const Backend backend)
    {
      const int dim = space.dim(), nc = space.n_components;
      const auto positions = tessera::node_positions(space);
      const VertexSpace vertices =
        make_vertex_space(space, Array<char>(backend, space.n_owned * nc));
      const SparseMatrix P = to_host(vertices.prolongation);
      const auto nodes     = vertices.nodes.to_vector();
      EXPECT_EQ(nodes, vertex_nodes(space));
      ASSERT_EQ(P.n_rows(), space.n_owned * nc);
      ASSERT_EQ(P.n_columns, vertices.n_nodes() * nc);
      for (int row = 0; row < P.n_rows(); ++row)
        {
          double sum = 0;
          std::vector<double> x(dim, 0.);
          for (auto k = P.pattern.row_start[row];
               k < P.pattern.row_start[row + 1]; ++k)
            {
              EXPECT_EQ(P.pattern.columns[k] % nc, row % nc);
              sum += P.values[k];
              for (int d = 0; d < dim; ++d)
                x[d] += P.values[k] *
                        positions[nodes[P.pattern.columns[k] / nc] * dim + d];
            }
          EXPECT_NEAR(sum, 1, 1e-13);
          for (int d = 0; d < dim; ++d)
            EXPECT_NEAR(x[d], positions[row / nc * dim + d], 1e-13);
        }
    }
  } // namespace

  TEST(VertexProlongation, ReproducesPositionsOnEveryCellType)
  {
    for (const CellType type : cell_types)
      for (int degree = 1; degree <= max_degree(type); ++degree)
        for (const int nc : {1, 3})
          {
            SCOPED_TRACE(to_string(type) + ", degree " +
                         std::to_string(degree));
            Connectivity mesh = generated_mesh(type, degree, 3, 2, 2, false);
            mesh.n_components = nc;
            mesh.constrained.assign(mesh.n_dofs * nc, 0);
            const Space space = build_space(mesh);
            check_positions(mesh, space);
            for (const Backend backend : test::backends())
              check_reproduction(space, backend);
          }
  }

  TEST(VertexProlongation, FollowsHangingVertices)
  {
    for (const CellType type : {CellType::quadrilateral, CellType::hexahedron})
      for (const int degree : {2, 3})
        {
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree));
          const Connectivity mesh = hanging_mesh(type, degree).mesh;
          const Space space       = build_space(mesh);
          ASSERT_GT(space.n_hanging, 0);
          check_positions(mesh, space);
          // Values at the boundary are given, so that sums are at most one, and
          // one where no vertex is there.
          const SparseMatrix P = to_host(
            make_vertex_space(space, Array<char>(Backend::host, space.n_owned))
              .prolongation);
          int n_inside = 0;
          for (int row = 0; row < P.n_rows(); ++row)
            {
              double sum = 0;
              for (auto k = P.pattern.row_start[row];
                   k < P.pattern.row_start[row + 1]; ++k)
                sum += P.values[k];
              EXPECT_LE(sum, 1 + 1e-13);
              n_inside += std::abs(sum - 1) < 1e-13;
            }
          EXPECT_GT(n_inside, 0);
        }
  }

  TEST(VertexProlongation, LeavesOutWhatIsGiven)
  {
    const Space space =
      build_space(generated_mesh(CellType::triangle, 2, 3, 3, 1));
    const int vertex = vertex_nodes(space).front();
    std::vector<char> given(space.n_owned, 0);
    given[vertex] = 1;
    for (const Backend backend : test::backends())
      {
        const VertexSpace vertices =
          make_vertex_space(space, Array<char>(backend, given));
        const auto pattern = to_host(vertices.prolongation).pattern;
        EXPECT_EQ(vertices.n_nodes(), 4);
        EXPECT_EQ(pattern.row_start[vertex], pattern.row_start[vertex + 1]);
        for (const int column : pattern.columns)
          EXPECT_NE(column, 0);
      }
  }

  TEST(VertexProlongation, IsTheOneOfRowsThatPartsMake)
  {
    for (const CellType type : cell_types)
      {
        const Space space = build_space(generated_mesh(type, 2, 5, 4, 3));
        const auto nodes  = vertex_nodes(space);
        std::vector<std::int64_t> numbers(space.n_owned, -1);
        for (std::size_t i = 0; i < nodes.size(); ++i)
          numbers[nodes[i]] = static_cast<std::int64_t>(i);
        const NumberedRows rows =
          vertex_rows(space, numbers, std::vector<char>(space.n_owned, 0));
        for (const Backend backend : test::backends())
          {
            const auto P = to_host(
              make_vertex_space(space, Array<char>(backend, space.n_owned))
                .prolongation);
            EXPECT_EQ(P.values, rows.values);
            EXPECT_EQ(P.pattern.row_start, rows.row_start);
            EXPECT_EQ(std::vector<std::int64_t>(P.pattern.columns.begin(),
                                                P.pattern.columns.end()),
                      rows.columns);
          }
      }
  }

  TEST(NearNullSpace, RotationsTurnAboutTheCentre)
  {
    const std::vector<double> square = {0, 0, 2, 0, 0, 2, 2, 2};
    NearNullSpace modes              = rigid_body_modes(square, 2);
    ASSERT_EQ(modes.n, 3);
    EXPECT_EQ(std::vector<double>(modes.modes.begin(), modes.modes.begin() + 8),
              (std::vector<double>{1, 0, 1, 0, 1, 0, 1, 0}));
    EXPECT_EQ(std::vector<double>(modes.modes.begin() + 16, modes.modes.end()),
              (std::vector<double>{.5, -.5, .5, .5, -.5, -.5, -.5, .5}));
    clear_fixed(modes, {0, 0, 1, 0, 0, 0, 0, 0});
    EXPECT_EQ(modes.modes[2], 0);
    EXPECT_EQ(modes.modes[18], 0);
    EXPECT_EQ(rigid_body_modes({0, 0, 0, 1, 2, 3}, 3).n, 6);
    EXPECT_EQ(constant_modes(2, 3).n, 3);
  }
} // namespace tessera
