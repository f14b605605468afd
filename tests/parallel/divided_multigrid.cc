#include <tessera/fem/driver/multigrid_setup.h>
#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/matrix/vertex_prolongation.h>
#include <tessera/parallel/messages.h>
#include <tessera/solvers/cg.h>

#include <cmath>

#include "hanging_mesh.h"
#include "parts.h"
#include "problems.h"
#include "test.h"

// These tests run in several processes (mpirun), each of which has the whole
// mesh and works on its own part of it.
namespace tessera
{
  using namespace test;

  namespace
  {
    constexpr Backend host = Backend::host;

    /// The whole mesh, or strips of its cells, one of which this process has.
    struct Problem
    {
      Problem(const Connectivity &mesh, const bool divides) : divides(divides)
      {
        if (!divides)
          {
            space = std::make_shared<const Space>(build_space(mesh));
            return;
          }
        const int n = processes().size();
        std::vector<int> part(mesh.n_cells());
        for (std::size_t c = 0; c < part.size(); ++c)
          part[c] = static_cast<int>(c * n / part.size());
        const Part mine   = partition(mesh, part, n)[processes().rank()];
        space             = std::make_shared<const Space>(mine.space);
        reached.shared    = processes().agree(mine.plans, mine.owned);
        reached.messages  = make_messages(processes());
        reached.transport = make_transport(processes(), host);
      }

      std::unique_ptr<Operator<double>>
      make_rows() const
      {
        const auto cells =
          std::make_shared<const CellData<double>>(space, host);
        Parts<double> parts;
        if (divides)
          parts = {reached.transport,
                   std::make_shared<const GhostTail<double>>(
                     *space, reached.shared, *reached.transport, host)};
        return make_operator<double>(
          "csr", cells,
          space->n_components == 1
            ? laplace(anisotropic(space->dim()))
            : elasticity(isotropic_stiffness(space->dim(), 1.3, 0.28)),
          {}, parts);
      }

      SparseMatrix
      matrix(const Operator<double> &A) const
      {
        return matrix_of_owned(
          dynamic_cast<const RowOperator<double> &>(A).matrix(), *space);
      }

      DividedLevels
      levels(const Operator<double> &A, const int max_gathered) const
      {
        DividedLevelsOptions options;
        options.max_gathered = max_gathered;
        options.max_coarsest = 40;
        return make_divided_levels(matrix(A), *space, reached, host,
                                   Coarsening::degree_first, options);
      }

      AlgebraicLevels
      levels_of_one(const Operator<double> &A) const
      {
        AlgebraicLevelsOptions options;
        options.max_coarsest = 40;
        return make_algebraic_levels(matrix(A), *space, host,
                                     Coarsening::degree_first, options);
      }

      /// The number of an entry of a node in the whole mesh.
      int
      in_mesh(const int node, const int c) const
      {
        return space->mesh_dof[node] * space->n_components + c;
      }

      /// Returns the iterations of a solve.
      int
      iterations(const Operator<double> &A, const Preconditioner<double> &M,
                 const std::vector<double> &right) const
      {
        Vector<double> x = A.make_vector(), b = A.make_vector();
        for (int i = 0; i < b.n_owned(); ++i)
          if (!std::binary_search(space->fixed.begin(), space->fixed.end(), i))
            b.data()[i] =
              right[in_mesh(i / space->n_components, i % space->n_components)];
        CGControl control;
        control.relative_tolerance = 1e-7;
        const CGResult result      = CG<double>(A, M).solve(x, b, control);
        EXPECT_TRUE(result.converged);
        return result.iterations;
      }

      bool divides;
      std::shared_ptr<const Space> space;
      PartsOfProblem reached;
    };

    /// Returns the values at owned nodes, by entry of the mesh, of a function
    /// whose values at vertices are given by entry of the mesh.
    std::vector<double>
    interpolate(const Problem &problem, const SparseMatrix &P,
                const DividedLevel *const level,
                const std::vector<double> &at_vertices)
    {
      const Space &space = *problem.space;
      const int nc       = space.n_components;
      std::vector<double> x;
      for (const int node : vertex_nodes(space))
        for (int c = 0; c < nc; ++c)
          x.push_back(at_vertices[problem.in_mesh(node, c)]);
      const auto n = static_cast<int>(x.size());
      x.resize(P.n_columns);
      if (level != nullptr)
        import_values(*problem.reached.messages, level->shared, n, x.data());
      std::vector<double> result(at_vertices.size(), 0.);
      for (int i = 0; i < P.n_rows(); ++i)
        for (auto k = P.pattern.row_start[i]; k < P.pattern.row_start[i + 1];
             ++k)
          result[problem.in_mesh(i / nc, i % nc)] +=
            P.values[k] * x[P.pattern.columns[k]];
      return result;
    }

    /// All levels but the coarsest are divided.
    void
    expect_as_one(const Connectivity &mesh)
    {
      const Problem one(mesh, false), part(mesh, true);
      const auto A = one.make_rows(), B = part.make_rows();
      const int n                  = mesh.n_dofs * mesh.n_components;
      const auto b                 = random_values<double>(n, 7);
      const AlgebraicLevels of_one = one.levels_of_one(*A);
      const DividedLevels levels   = part.levels(*B, 1);
      // Strips of seven parts are a few nodes wide.
      EXPECT_NEAR(part.iterations(*B, Multigrid<double>(*B, levels), b),
                  one.iterations(*A, Multigrid<double>(*A, of_one), b),
                  processes().size() > 4 ? 4 : 2);
      if (mesh.degree == 1)
        return;
      const auto values   = random_values<double>(n, 3);
      const auto of_whole = interpolate(
        one, to_host(of_one.levels().front().prolongation), nullptr, values);
      const auto of_part =
        interpolate(part, levels.divided().front().prolongation,
                    &levels.divided().front(), values);
      for (int i = 0; i < part.space->n_owned; ++i)
        for (int c = 0; c < mesh.n_components; ++c)
          EXPECT_NEAR(of_part[part.in_mesh(i, c)], of_whole[part.in_mesh(i, c)],
                      1e-13);
    }
  } // namespace

  TEST(DividedMultigrid, ElementsAreSolvedAsByOne)
  {
    for (const int degree : {1, 2, 3})
      {
        SCOPED_TRACE(degree);
        const Connectivity mesh = generated_mesh(degree, 16, 28);
        expect_as_one(degree == 2 ? mesh : with_components(mesh));
      }
    expect_as_one(
      with_components(generated_mesh(CellType::hexahedron, 2, 5, 5, 8, true)));
  }

  TEST(DividedMultigrid, HangingNodesAreInterpolatedAcrossParts)
  {
    for (const int degree : {1, 2, 3})
      {
        SCOPED_TRACE(degree);
        const Connectivity mesh =
          hanging_mesh(CellType::quadrilateral, degree, 8).mesh;
        expect_as_one(degree == 2 ? with_components(mesh) : mesh);
      }
    expect_as_one(hanging_mesh(CellType::hexahedron, 2, 3).mesh);
  }
} // namespace tessera
