#include <tessera/base/error.h>
#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/preconditioners/multigrid_setup.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>

#include "cell_meshes.h"
#include "divided_boxes.h"
#include "hanging_mesh.h"
#include "problems.h"
#include "test.h"

// Tests the preconditioner `multigrid` by its name, as a program has it that
// links the core alone, and levels that the program brings.
namespace tessera
{
  using namespace test;

  namespace
  {
    int n_made = 0;

    /// Makes one coarser level, whose matrix is A itself.
    LevelMaker
    describe_of_a_program()
    {
      return {"of_a_program", "this test",
              [](const PreconditionerProblem &problem, Coarsening) {
                ++n_made;
                const SparseMatrix A = problem.matrix();
                MultigridLevels levels;
                levels.prolongations.push_back(
                  identity_prolongation(A.n_rows()));
                levels.matrices.push_back(A);
                levels.finest_nonzeros = A.n_nonzeros();
                return levels;
              }};
    }

    const Registration<LevelMaker> registration(describe_of_a_program);

    template <class Number>
    CGResult
    solve(const Operator<Number> &A, const Preconditioner<Number> &M)
    {
      Vector<Number> x = A.make_vector();
      CGControl control;
      control.relative_tolerance = 1e-5;
      return CG<Number>(A, M).solve(
        x, make_vector(A, random_values<Number>(A.n_owned())), control);
    }

    template <class Number>
    void
    check(const Connectivity &mesh, const Backend backend)
    {
      const Problem<Number> problem(
        std::make_shared<const Space>(build_space(mesh)), backend);
      const Space &space = problem.space();
      const auto A       = problem.make_operator(
              "csr", space.n_components > 1
                       ? elasticity(isotropic_stiffness(space.dim(), 2., 0.3))
                       : laplace(Coefficient::scalar(1)));
      const auto M      = problem.make_preconditioner("multigrid", *A);
      const auto levels = M->parameters().at("multigrid_levels");
      EXPECT_GE(std::get<std::int64_t>(levels), 2);
      const CGResult result = solve(*A, *M);
      EXPECT_TRUE(result.converged);
      EXPECT_LT(
        3 * result.iterations,
        solve(*A, *problem.make_preconditioner("jacobi", *A)).iterations);
    }

    std::string
    refusal(const Problem<double> &problem, const std::string &name,
            const OptionValues &options = {})
    {
      const auto A =
        problem.make_operator(name, laplace(Coefficient::scalar(1)));
      try
        {
          problem.make_preconditioner("multigrid", *A, options);
        }
      catch (const ParameterError &error)
        {
          return error.what();
        }
      return "";
    }
  } // namespace

  TEST(MultigridByName, TakesThirdsOfTheIterations)
  {
    for (const Backend backend : backends())
      for (const int degree : {1, 2})
        {
          SCOPED_TRACE(to_string(backend) + ", degree " +
                       std::to_string(degree));
          check<double>(generated_mesh(degree, 32 / degree, 26 / degree),
                        backend);
        }
    check<float>(generated_mesh(1, 32, 26), Backend::host);
    check<double>(with_components(generated_mesh(1, 22, 18)), Backend::host);
  }

  /// What the default takes, and that it is as good as what could be asked for.
  TEST(MultigridByName, TakesSpacesWhereTheySuit)
  {
    const auto record = [](const SpacePointer &space, const Form &form,
                           const OptionValues &options = {}) {
      const Problem<double> problem(space, Backend::host);
      const auto A = problem.make_operator("matrix_free", form);
      const auto M =
        problem.make_preconditioner("multigrid", *A, options, &form);
      RecordValues values  = M->parameters();
      values["iterations"] = std::int64_t(solve(*A, *M).iterations);
      return values;
    };
    const auto expect = [](const RecordValues &values, const std::string &by,
                           const std::string &cycle, const std::string &text) {
      EXPECT_EQ(values.at("multigrid_levels_by"),
                RecordValues::mapped_type(by));
      EXPECT_EQ(values.at("multigrid_cycle"), RecordValues::mapped_type(cycle));
      EXPECT_EQ(
        std::get<std::string>(values.at("preconditioner_levels")).find(text),
        0u);
    };
    for (const int degree : {1, 2})
      {
        const auto space = divided_boxes(CellType::quadrilateral, degree,
                                         6 - degree, 1, 3, false);
        expect(record(space, laplace(random_cells(*space, 15))), "mesh", "V",
               "spaces, since");
        const Form jumps     = laplace(random_cells(*space, 1e8)),
                   stretched = laplace(Coefficient::tensor(1e3, 0, 1));
        const auto found     = record(space, jumps);
        expect(found, degree > 1 ? "mesh" : "mis2", "W",
               degree > 1 ? "spaces, and aggregates below" : "aggregates");
        const auto old = record(space, jumps, {{"Coarsening", "degree_first"}});
        EXPECT_EQ(old.count("preconditioner_levels"), 0u);
        EXPECT_LE(found.at("iterations"), old.at("iterations"));
        EXPECT_EQ(record(space, stretched).at("iterations"),
                  record(space, stretched, {{"Coarsening", "aggregation"}})
                    .at("iterations"));
      }
    expect(record(std::make_shared<const Space>(build_space(
                    generated_mesh(CellType::triangle, 2, 24, 24, 1))),
                  laplace()),
           "mis2", "W", "aggregates. Levels of degree and refinement need");
  }

  TEST(MultigridByName, KnowsTheMatrixOfStoredRowsAlone)
  {
    const std::string unknown =
      "The preconditioner multigrid is made from a "
      "matrix, which is not known here; legal is ";
    const Problem<double> square(
      std::make_shared<const Space>(build_space(generated_mesh(1, 4, 4))),
      Backend::host);
    EXPECT_EQ(refusal(square, "csr"), "");
    EXPECT_EQ(refusal(square, "matrix_free").find(unknown), 0u);
    const Problem<double> hanging(
      std::make_shared<const Space>(
        build_space(hanging_mesh(CellType::quadrilateral, 1).mesh)),
      Backend::host);
    EXPECT_EQ(refusal(hanging, "csr"), "");
  }

  TEST(MultigridByName, OthersMakeLevels)
  {
    const Problem<double> problem(
      std::make_shared<const Space>(build_space(generated_mesh(1, 8, 8))),
      Backend::host);
    const auto A =
      problem.make_operator("csr", laplace(Coefficient::scalar(1)));
    const int before = n_made;
    const auto M     = problem.make_preconditioner(
          "multigrid", *A, {{"Aggregates", "of_a_program"}});
    EXPECT_EQ(n_made, before + 1);
    EXPECT_EQ(std::get<std::string>(M->parameters().at("multigrid_levels_by")),
              "given");
    EXPECT_TRUE(solve(*A, *M).converged);
    const std::string sentence =
      refusal(problem, "csr", {{"Aggregates", "nobody"}});
    EXPECT_NE(sentence.find("legal is mis2 or of_a_program"), std::string::npos)
      << sentence;
    const auto &options = preconditioner_descriptor("multigrid").options;
    EXPECT_NE(options.back()->options[0].sentence.find(", or this test"),
              std::string::npos);
  }
} // namespace tessera
