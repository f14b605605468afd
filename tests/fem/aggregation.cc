#include "test.h"

#include <tessera/base/error.h>
#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/matrix/vertex_prolongation.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/mixed_precision.h>
#include <tessera/solvers/cg.h>
#include <tessera/study/matrices/matrix_generator.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../cell_meshes.h"
#include "../grid_matrices.h"
#include "../hanging_mesh.h"
#include "../problems.h"
#include "multigrid_problem.h"

namespace
{
  using namespace tessera;
  using test::diagonal_matrix;
  using test::membrane;

  std::vector<double>
  times(const SparseMatrix &A, const std::vector<double> &x)
  {
    std::vector<double> y(A.n_rows(), 0.);
    for (int i = 0; i < A.n_rows(); ++i)
      for (auto k = A.pattern.row_start[i]; k < A.pattern.row_start[i + 1]; ++k)
        y[i] += A.values[k] * x[A.pattern.columns[k]];
    return y;
  }

  std::vector<double>
  transposed_times(const SparseMatrix &A, const std::vector<double> &x)
  {
    std::vector<double> y(A.n_columns, 0.);
    for (int i = 0; i < A.n_rows(); ++i)
      for (auto k = A.pattern.row_start[i]; k < A.pattern.row_start[i + 1]; ++k)
        y[A.pattern.columns[k]] += A.values[k] * x[i];
    return y;
  }

  /// Expects A_(l+1) x = P_l^T A_l P_l x for a random vector on every level.
  void
  expect_galerkin(const SparseMatrix &A, const MultigridLevels &levels)
  {
    const SparseMatrix *finer = &A;
    for (std::size_t l = 0; l < levels.matrices.size(); ++l)
      {
        const SparseMatrix &P = levels.prolongations[l];
        ASSERT_EQ(P.n_rows(), finer->n_rows());
        ASSERT_EQ(P.n_columns, levels.matrices[l].n_rows());
        const auto x        = test::random_values<double>(P.n_columns);
        const auto expected = transposed_times(P, times(*finer, times(P, x)));
        const auto found    = times(levels.matrices[l], x);
        const double eps    = 1e-12 * test::norm(expected);
        for (std::size_t i = 0; i < found.size(); ++i)
          // A row without entries became one of the identity.
          EXPECT_NEAR(found[i], expected[i] == 0 ? found[i] : expected[i], eps);
        finer = &levels.matrices[l];
      }
  }

  struct Problem : test::MultigridProblem
  {
    using MultigridProblem::MultigridProblem;

    template <class Number, class Levels>
    int
    iterations(const Operator<Number> &A, const Levels &levels,
               const MultigridOptions &options = {},
               const double tolerance          = 1e-9) const
    {
      const Multigrid<Number> M(A, levels, options);
      CG<Number> cg(A, M);
      Vector<Number> x = A.make_vector(), b = A.make_vector();
      b = test::make_vector(A, test::random_values<Number>(A.n_owned()));
      CGControl control;
      control.relative_tolerance = tolerance;
      const CGResult result      = cg.solve(x, b, control);
      EXPECT_TRUE(result.converged);
      return result.iterations;
    }

    int
    iterations(const Coarsening coarsening = Coarsening::degree_first) const
    {
      return iterations(*A, levels(coarsening));
    }
  };

  /// A body that is held at its left end; one component is also held at the
  /// bottom.
  Connectivity
  beam(const CellType type, const int degree, const int n)
  {
    const int dim     = dimension(type);
    Connectivity mesh = test::generated_mesh(type, degree, 3 * n, n, n, false);
    const auto at     = test::node_positions(mesh);
    mesh.n_components = dim;
    mesh.constrained.assign(std::size_t(mesh.n_dofs) * dim, 0);
    for (int i = 0; i < mesh.n_dofs; ++i)
      for (int c = 0; c < dim; ++c)
        if (at[i][0] < 1e-9 || (c == 1 && at[i][1] < 1e-9))
          mesh.constrained[i * dim + c] = 1;
    return mesh;
  }

  TEST(Aggregation, LevelsAreGalerkinProducts)
  {
    for (const CellType type : test::cell_types)
      for (const int degree : {1, 2})
        for (const Coarsening coarsening :
             {Coarsening::degree_first, Coarsening::aggregation})
          {
            SCOPED_TRACE(to_string(type) + ", degree " +
                         std::to_string(degree));
            const Problem problem(
              membrane(type, degree, dimension(type) == 3 ? 8 : 20));
            const auto levels = problem.levels(coarsening);
            EXPECT_GE(levels.n_levels(), 2);
            EXPECT_LE(levels.matrices.back().n_rows(), 100);
            EXPECT_LT(levels.operator_complexity(), 1.7);
            expect_galerkin(problem.matrix, levels);
          }
  }

  TEST(Aggregation, RepresentsConstants)
  {
    GeneratedLaplacian parameters;
    parameters.dim = 2;
    parameters.n_x = parameters.n_y = 40;
    SparseMatrix A                  = generate(parameters); // rows sum to zero
    A.values[0] += 1e-3;
    const MultigridLevels levels = aggregate(A);
    // The constants of aggregates have unit norm: find the weights by least
    // squares, which a few steps of conjugate gradients on P^T P do exactly.
    const SparseMatrix &P = levels.prolongations[0];
    std::vector<double> x(P.n_columns, 0.), r(P.n_rows(), 1.);
    std::vector<double> p = transposed_times(P, r), s = p;
    double s_s = std::pow(test::norm(s), 2);
    for (int k = 0; k < 200 && s_s > 1e-24; ++k)
      {
        const auto q       = times(P, p);
        const double alpha = s_s / std::pow(test::norm(q), 2);
        for (std::size_t i = 0; i < x.size(); ++i)
          x[i] += alpha * p[i];
        for (std::size_t i = 0; i < r.size(); ++i)
          r[i] -= alpha * q[i];
        s                 = transposed_times(P, r);
        const double next = std::pow(test::norm(s), 2);
        for (std::size_t i = 0; i < p.size(); ++i)
          p[i] = s[i] + next / s_s * p[i];
        s_s = next;
      }
    EXPECT_LT(test::norm(r), 1e-2 * std::sqrt(double(r.size())));
  }

  TEST(Aggregation, IterationsDoNotGrowWithTheMesh)
  {
    for (const CellType type : test::cell_types)
      {
        SCOPED_TRACE(to_string(type));
        const bool solid = dimension(type) == 3;
        const int coarse =
          Problem(membrane(type, 1, solid ? 10 : 30)).iterations();
        const int fine =
          Problem(membrane(type, 1, solid ? 24 : 150)).iterations();
        EXPECT_LE(fine, 1.5 * coarse);
        EXPECT_LE(fine, 30);
        RecordProperty("coarse_" + to_string(type), coarse);
        RecordProperty("fine_" + to_string(type), fine);
      }
  }

  TEST(Aggregation, IterationsHardlyGrowWithTheDegree)
  {
    for (const CellType type : test::cell_types)
      for (int degree = 2; degree <= max_degree(type); ++degree)
        {
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree));
          const bool solid = dimension(type) == 3;
          const int coarse =
            Problem(membrane(type, degree, solid ? 4 : 16)).iterations();
          const int fine =
            Problem(membrane(type, degree, solid ? 8 : 40)).iterations();
          EXPECT_LE(fine, 1.5 * coarse);
          EXPECT_LE(fine, 40);
          RecordProperty(to_string(type) + std::to_string(degree), fine);
        }
  }

  TEST(Aggregation, RigidBodyModesServeElasticity)
  {
    for (const CellType type : test::cell_types)
      for (const int degree : {1, 2})
        {
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree));
          const bool solid = dimension(type) == 3;
          const int coarse =
            Problem(beam(type, degree, solid ? 3 : 8)).iterations();
          const Problem problem(beam(type, degree, solid ? 6 : 24));
          const int fine = problem.iterations();
          EXPECT_LE(fine, 1.5 * coarse);
          EXPECT_LE(fine, 50);
          expect_galerkin(problem.matrix, problem.levels());
          RecordProperty(to_string(type) + std::to_string(degree), fine);
        }
  }

  /// Levels of the core need at most 30 % and one iteration more than the
  /// levels of ML. They may need fewer, down to about a half, since they
  /// measure strength in another way.
  TEST(Aggregation, LevelsOfTheCoreAreAsGood)
  {
    const auto compare = [](const Problem &problem, const Coarsening way) {
      AlgebraicLevelsOptions options;
      options.max_coarsest = 100;
      const auto levels = make_algebraic_levels(problem.matrix, *problem.space,
                                                Backend::host, way, options);
      expect_galerkin(problem.matrix, levels.to_host());
      const int by_ml = problem.iterations(way),
                n     = problem.iterations(*problem.A, levels);
      EXPECT_LE(n, 1.3 * by_ml + 1);
      EXPECT_LE(by_ml, 2 * n + 1);
    };
    for (const CellType type : test::cell_types)
      for (const int degree : {1, 2})
        for (const Coarsening way :
             {Coarsening::degree_first, Coarsening::aggregation})
          {
            SCOPED_TRACE(to_string(type) + std::to_string(degree));
            const bool solid = dimension(type) == 3;
            compare(Problem(membrane(type, degree, solid ? 12 : 50)), way);
            compare(Problem(beam(type, degree, solid ? 4 : 12)), way);
          }
  }

  TEST(Aggregation, ServesOperatorsWithoutMatrixInFloatAndV)
  {
    const Problem problem(membrane(CellType::hexahedron, 2, 7));
    const tessera::Problem<double> in_double(problem.space, Backend::host);
    const tessera::Problem<float> in_float(in_double);
    const auto free   = in_double.make_operator("matrix_free", problem.form());
    auto free_float   = in_float.make_operator("matrix_free", problem.form());
    const auto levels = problem.levels();
    const int w       = problem.iterations(*problem.A, levels);
    EXPECT_NEAR(problem.iterations(*free, levels), w, 1);
    EXPECT_LE(problem.iterations(*free_float, levels, {}, 1e-4), w);
    MultigridOptions options;
    options.cycle = MultigridCycle::V;
    EXPECT_GE(problem.iterations(*free, levels, options), w);

    auto inner = std::make_unique<const Multigrid<float>>(*free_float, levels);
    const MixedPrecision M(std::move(free_float), std::move(inner));
    CG<double> cg(*free, M);
    Vector<double> x = free->make_vector();
    CGControl control;
    control.relative_tolerance = 1e-9;
    const auto result          = cg.solve(
               x, test::make_vector(*free, test::random_values<double>(free->n_owned())),
               control);
    EXPECT_TRUE(result.converged);
    EXPECT_NEAR(result.iterations, w, 1);
  }

  TEST(Aggregation, ServesHangingNodes)
  {
    for (const CellType type : {CellType::quadrilateral, CellType::hexahedron})
      for (const int degree : {1, 2, 3})
        {
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree));
          const auto space = std::make_shared<const Space>(
            build_space(test::hanging_mesh(type, degree).mesh));
          const auto A =
            tessera::Problem<double>(space, Backend::host)
              .make_operator("csr", laplace(test::anisotropic(space->dim())));
          const SparseMatrix matrix = matrix_of_owned(
            dynamic_cast<RowOperator<double> &>(*A).matrix(), *space);
          const auto x     = test::random_values<double>(space->n_owned);
          Vector<double> y = A->make_vector();
          A->vmult(y, test::make_vector(*A, x));
          const auto expected = test::owned_values(y), found = times(matrix, x);
          for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_NEAR(found[i], expected[i], 1e-12 * test::norm(expected));
          const auto levels = make_levels(matrix, *space);
          const Multigrid<double> M(*A, levels);
          CG<double> cg(*A, M);
          Vector<double> u  = A->make_vector();
          const auto result = cg.solve(u, test::make_vector(*A, expected), {});
          EXPECT_TRUE(result.converged);
          EXPECT_LE(result.iterations, 30);
        }
  }

  TEST(Aggregation, OfFewRowsIsADirectSolve)
  {
    const Problem problem(
      test::generated_mesh(CellType::quadrilateral, 1, 2, 2, 1));
    ASSERT_EQ(problem.matrix.n_rows(), 1);
    EXPECT_LE(problem.iterations(), 1);
    const Problem several(membrane(CellType::quadrilateral, 1, 7));
    EXPECT_LE(several.iterations(), 2);
    const Problem single(
      test::generated_mesh(CellType::quadrilateral, 3, 1, 1, 1));
    ASSERT_EQ(
      make_vertex_space(*single.space, Array<char>(Backend::host, 4)).n_nodes(),
      0);
    EXPECT_LE(single.iterations(), 2);
  }

  std::string
  error_of(const SparseMatrix &A, const AggregationOptions &options = {})
  {
    try
      {
        aggregate(A, options);
      }
    catch (const Error &error)
      {
        return error.what();
      }
    return "no error";
  }

  TEST(Aggregation, RefusesWhatItCannotDo)
  {
    EXPECT_EQ(
      error_of({{{0}, {}}, 0, {}}),
      "The matrix cannot be aggregated for multigrid: it has 0 rows "
      "and 0 columns, of which there must be as many and one at least.");
    SparseMatrix A = diagonal_matrix(5);
    A.values[3]    = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(error_of(A).find("entry of row 3 is "), std::string::npos);
    A.values[3] = -1;
    EXPECT_NE(error_of(A).find("the diagonal entry of row 3 is -1;"),
              std::string::npos);
    EXPECT_EQ(error_of(diagonal_matrix(1000)), "no error");
    for (const double asymmetry : {1e-2, 1e-9})
      {
        SparseMatrix B = generate(GeneratedLaplacian{2, 1, 30, 30});
        for (int i = 0; i < B.n_rows(); ++i)
          for (auto k = B.pattern.row_start[i]; k < B.pattern.row_start[i + 1];
               ++k)
            B.values[k] *= B.pattern.columns[k] < i ? 1 + asymmetry : 1.;
        EXPECT_EQ(error_of(B).find("it is not symmetric") != std::string::npos,
                  asymmetry > 1e-6);
      }
    EXPECT_NE(error_of(diagonal_matrix(5000)).find("of its 5000 rows none"),
              std::string::npos);
    AggregationOptions options;
    options.n_components = 2;
    EXPECT_EQ(error_of(diagonal_matrix(5), options),
              "Aggregation was given 2 components of a node, but a matrix of 5 "
              "rows.");
    options.n_components    = 1;
    options.near_null_space = constant_modes(4, 1);
    EXPECT_EQ(error_of(diagonal_matrix(5), options),
              "Aggregation was given 4 entries of 1 modes, but a matrix of 5 "
              "rows.");
  }
} // namespace
