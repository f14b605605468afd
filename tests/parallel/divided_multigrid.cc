#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/vertex_prolongation.h>
#include <tessera/preconditioners/geometric_levels.h>
#include <tessera/preconditioners/multigrid_setup.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>

#include <cmath>

#include "hanging_mesh.h"
#include "parts.h"
#include "preconditioner_checks.h"
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
    struct OnMesh
    {
      OnMesh(const std::shared_ptr<const Space> &space,
             const std::shared_ptr<const OtherParts> &reached)
        : space(space), reached(reached),
          problem(space, host, {reached, *space, host})
      {}

      explicit OnMesh(const Connectivity &mesh)
        : OnMesh(std::make_shared<const Space>(build_space(mesh)),
                 std::make_shared<const OtherParts>())
      {}

      explicit OnMesh(const Piece &strip) : OnMesh(strip.space, strip.others())
      {}

      Form
      form() const
      {
        return space->n_components == 1
                 ? laplace(anisotropic(space->dim()))
                 : elasticity(isotropic_stiffness(space->dim(), 1.3, 0.28));
      }

      std::unique_ptr<Operator<double>>
      make_operator(const std::string &name = "csr") const
      {
        return problem.make_operator(name, form());
      }

      SparseMatrix
      matrix(const Operator<double> &A) const
      {
        return matrix_of_owned(
          dynamic_cast<const RowOperator<double> &>(A).matrix(), *space);
      }

      AlgebraicLevels
      levels(const Operator<double> &A, const int max_gathered) const
      {
        AlgebraicLevelsOptions options;
        options.max_gathered = max_gathered;
        options.max_coarsest = 40;
        return make_divided_levels(matrix(A), *space, *reached, host,
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

      /// All levels but the coarsest are divided, or those below degree 1 are
      /// gathered.
      GeometricLevels
      spaces(const int max_gathered) const
      {
        GeometricLevelsOptions options;
        options.max_coarsest       = 40;
        options.below.max_coarsest = max_gathered > 1 ? 512 : 40;
        options.below.max_gathered = max_gathered;
        options.others             = reached;
        return {space, form(), host, options};
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

      std::shared_ptr<const Space> space;
      std::shared_ptr<const OtherParts> reached;
      const Problem<double> problem;
    };

    /// Returns the values at owned nodes, by entry of the mesh, of a function
    /// whose values at vertices are given by entry of the mesh.
    std::vector<double>
    interpolate(const OnMesh &problem, const SparseMatrix &P,
                const SharedNodes *const shared,
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
      if (shared != nullptr)
        import_values(*problem.reached->messages, *shared, n, x.data());
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
      const OnMesh one(mesh), part(Piece(mesh, true));
      const auto A = one.make_operator(), B = part.make_operator();
      const int n                  = mesh.n_dofs * mesh.n_components;
      const auto b                 = random_values<double>(n, 7);
      const AlgebraicLevels of_one = one.levels_of_one(*A);
      const AlgebraicLevels levels = part.levels(*B, 1);
      // Strips of seven parts are a few nodes wide.
      EXPECT_NEAR(part.iterations(*B, Multigrid<double>(*B, levels), b),
                  one.iterations(*A, Multigrid<double>(*A, of_one), b),
                  processes().size() > 4 ? 4 : 2);
      if (mesh.degree == 1)
        return;
      const auto values   = random_values<double>(n, 3);
      const auto of_whole = interpolate(
        one, to_host(of_one.levels().front().prolongation), nullptr, values);
      const SharedNodes shared = levels.levels().front().nodes.shared;
      const auto of_part       = interpolate(
              part, to_host(levels.levels().front().prolongation), &shared, values);
      for (int i = 0; i < part.space->n_owned; ++i)
        for (int c = 0; c < mesh.n_components; ++c)
          EXPECT_NEAR(of_part[part.in_mesh(i, c)], of_whole[part.in_mesh(i, c)],
                      1e-13);
    }

    /// Spaces of lower degree, and aggregates below them.
    void
    expect_spaces_as_one(const Connectivity &mesh)
    {
      const OnMesh one(mesh), part(Piece(mesh, true));
      const auto A = one.make_operator("matrix_free"),
                 B = part.make_operator("matrix_free");
      const int n  = mesh.n_dofs * mesh.n_components;
      const auto b = random_values<double>(n, 7);
      for (const int max_gathered : {1, 10000})
        {
          const GeometricLevels of_one = one.spaces(max_gathered),
                                levels = part.spaces(max_gathered);
          ASSERT_EQ(levels.levels().size(), of_one.levels().size());
          ASSERT_EQ(levels.below() != nullptr &&
                      levels.below()->transport() != nullptr,
                    processes().size() > 1);
          EXPECT_EQ(levels.grid_complexity(), of_one.grid_complexity());
          // Bounds of spectra converge, which begin with vectors of each part.
          MultigridOptions cycle;
          cycle.lanczos_steps = 60;
          const Multigrid<double> M(*A, of_one, cycle),
            of_parts(*B, levels, cycle);
          EXPECT_NEAR(part.iterations(*B, of_parts, b),
                      one.iterations(*A, M, b),
                      max_gathered == 1 && processes().size() > 4 ? 4 : 2);
          if (max_gathered == 1)
            continue;
          const auto given = [&](const OnMesh &problem) {
            std::vector<double> result;
            for (int i = 0; i < problem.space->n_owned; ++i)
              for (int c = 0; c < mesh.n_components; ++c)
                result.push_back(b[problem.in_mesh(i, c)]);
            return result;
          };
          const auto expected = preconditioned(M, *A, given(one)),
                     found    = preconditioned(of_parts, *B, given(part));
          std::vector<double> in_mesh(n, 0.);
          for (std::size_t i = 0; i < expected.size(); ++i)
            in_mesh[one.in_mesh(int(i) / mesh.n_components,
                                int(i) % mesh.n_components)] = expected[i];
          double sums[2] = {0, dot(expected, expected)};
          for (std::size_t i = 0; i < found.size(); ++i)
            {
              const double right = in_mesh[part.in_mesh(
                int(i) / mesh.n_components, int(i) % mesh.n_components)];
              sums[0] += (found[i] - right) * (found[i] - right);
            }
          sums[0] = sum_over_parts(*part.reached->messages, sums[0]);
          EXPECT_LT(std::sqrt(sums[0] / sums[1]), 1e-3);
        }
    }
  } // namespace

  TEST(DividedMultigrid, SpacesAreSolvedAsByOne)
  {
    for (const int degree : {2, 3, 4})
      {
        SCOPED_TRACE(degree);
        const Connectivity mesh =
          generated_mesh(degree, 24 / degree, 40 / degree);
        expect_spaces_as_one(degree == 3 ? with_components(mesh) : mesh);
      }
    expect_spaces_as_one(
      generated_mesh(CellType::hexahedron, 2, 5, 5, 8, true));
    expect_spaces_as_one(
      with_components(generated_mesh(CellType::hexahedron, 2, 3, 3, 7, true)));
  }

  /// What one part knows decides for all.
  TEST(DividedMultigrid, SpacesEndInAllPartsAtAHindranceOfOne)
  {
    const Connectivity mesh = generated_mesh(2, 16, 28);
    const OnMesh part(Piece(mesh, true));
    Coefficient k{Coefficient::Kind::per_quadrature_point, 1, {}};
    k.values.assign(
      std::size_t(part.space->n_cells()) * part.space->points_per_cell(), 1.);
    if (processes().rank() == processes().size() - 1)
      k.values.back() = 30;
    GeometricLevelsOptions options;
    options.max_coarsest       = 40;
    options.ends_at_hindrances = true;
    options.others             = part.reached;
    const GeometricLevels levels(part.space, laplace(k), host, options);
    EXPECT_TRUE(levels.levels().empty());
    EXPECT_EQ(levels.hindrance(), Hindrance::jumps);
  }

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

  /// A program makes preconditioners in several parts as it does in one.
  TEST(DividedMultigrid, ProblemsMakePreconditioners)
  {
    const auto expect_as_one = [](const Connectivity &mesh,
                                  const std::string &name,
                                  const OptionValues &options) {
      SCOPED_TRACE(name);
      const OnMesh one(mesh), part(Piece(mesh, true));
      const Form form = part.form();
      const auto b = random_values<double>(mesh.n_dofs * mesh.n_components, 7);
      for (const std::string op : {"csr", "matrix_free"})
        {
          const auto A = one.make_operator(op), B = part.make_operator(op);
          const auto of_one =
            one.problem.make_preconditioner(name, *A, options, &form);
          const auto M =
            part.problem.make_preconditioner(name, *B, options, &form);
          EXPECT_EQ(M->name(), of_one->name());
          if (name != "jacobi")
            EXPECT_EQ(M->name(), "multigrid");
          const int expected = one.iterations(*A, *of_one, b);
          EXPECT_NEAR(part.iterations(*B, *M, b), expected,
                      processes().size() > 4 ? 4 : 2);
          if (op == "csr") // has the rows itself
            EXPECT_NEAR(
              part.iterations(
                *B, *part.problem.make_preconditioner(name, *B, options), b),
              expected, processes().size() > 4 ? 4 : 2);
        }
      const Problem<float> of_float(part.problem);
      EXPECT_EQ(part.problem
                  .make_preconditioner(
                    name, *of_float.make_operator("csr", form), options, &form)
                  ->name(),
                name == "auto" ? "multigrid" : name);
    };
    const OptionValues degree_first = {{"Coarsening", "degree_first"}};
    const Connectivity hanging =
      hanging_mesh(CellType::quadrilateral, 2, 8).mesh;
    expect_as_one(hanging, "jacobi", {});
    expect_as_one(hanging, "multigrid", degree_first);
    expect_as_one(generated_mesh(2, 16, 28), "multigrid", degree_first);
    expect_as_one(generated_mesh(1, 110, 100), "auto", degree_first);
  }
} // namespace tessera
