#include <tessera/base/error.h>
#include <tessera/forms/advection_diffusion.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/assembler.h>
#include <tessera/operators/convert_rows.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/preconditioners/mixed_precision.h>
#include <tessera/preconditioners/none.h>
#include <tessera/preconditioners/polynomial.h>
#include <tessera/solvers/defect_correction.h>

#include <limits>

#include "linked.h"
#include "preconditioner_checks.h"
#include "problems.h"
#include "test.h"

using namespace tessera;

namespace
{
  /// The operator in double, rounded to float.
  struct TwoPrecisions
  {
    TwoPrecisions(const Backend backend, const std::string &name,
                  const Connectivity &mesh)
      : A(test::make_operator_on<double>(backend, name, mesh)),
        A_float(test::make_operator_on<float>(backend, name, mesh))
    {}

    std::unique_ptr<Operator<double>> A;
    std::unique_ptr<Operator<float>> A_float;
  };

  double
  residual_of(const Operator<double> &A, const std::vector<double> &x,
              const std::vector<double> &b)
  {
    return test::distance(test::DenseMatrix(A).times(x), b);
  }
} // namespace

TEST(MixedPrecision, ReachesTheAnswerInDouble)
{
  for (const Backend backend : test::backends())
    for (const std::string name : {"csr", "matrix_free"})
      for (const std::string preconditioner :
           {"jacobi", "least_squares", "chebyshev", "neumann"})
        {
          SCOPED_TRACE(to_string(backend) + ", " + name + ", " +
                       preconditioner);
          TwoPrecisions two(backend, name, test::unstructured_mesh(2, 1));
          const Operator<double> &A = *two.A;
          const auto b = test::random_values<double>(A.n_owned(), 7);
          auto M_float =
            make_preconditioner<float>(preconditioner, *two.A_float);
          const MixedPrecision M(std::move(two.A_float), std::move(M_float));
          EXPECT_EQ(M.name(), preconditioner);

          // z = M^-1 r in float.
          const auto M_double = make_preconditioner<double>(preconditioner, A);
          const auto z        = test::preconditioned(M, A, b);
          const auto exact    = test::preconditioned(*M_double, A, b);
          EXPECT_LE(test::distance(z, exact),
                    1000 * std::numeric_limits<float>::epsilon() *
                      test::norm(exact));
          EXPECT_GT(test::distance(z, exact), 0);

          CGControl control;
          control.norm     = StoppingNorm::true_residual;
          Vector<double> x = A.make_vector(), y = A.make_vector();
          const CGResult mixed =
            CG<double>(A, M).solve(x, test::make_vector(A, b), control);
          const CGResult plain =
            CG<double>(A, *M_double).solve(y, test::make_vector(A, b), control);
          EXPECT_TRUE(mixed.converged) << describe(mixed);
          EXPECT_NEAR(mixed.iterations, plain.iterations,
                      2 + plain.iterations / 10);
          EXPECT_LE(residual_of(A, test::owned_values(x), b),
                    1.01e-10 * test::norm(b));
        }
}

TEST(DefectCorrection, ReachesTheAnswerInDouble)
{
  for (const Backend backend : test::backends())
    for (const std::string name : {"csr", "matrix_free"})
      for (const std::string method : {"classical", "single_reduction"})
        {
          SCOPED_TRACE(to_string(backend) + ", " + name);
          const TwoPrecisions two(backend, name, test::unstructured_mesh(2, 1));
          const auto M = make_preconditioner<float>("jacobi", *two.A_float);
          DefectCorrection solver(*two.A, *two.A_float, *M, method);
          const auto b     = test::random_values<double>(two.A->n_owned(), 7);
          Vector<double> x = two.A->make_vector();
          const CGResult result =
            solver.solve(x, test::make_vector(*two.A, b), {});
          EXPECT_TRUE(result.converged) << describe(result);
          EXPECT_GE(result.replacements, 2);
          EXPECT_LE(residual_of(*two.A, test::owned_values(x), b),
                    1.01e-10 * test::norm(b));
          EXPECT_EQ(result.history.size(), result.iterations + 1u);
        }
}

TEST(DefectCorrection, EndsWithASentence)
{
  for (const Backend backend : test::backends())
    {
      const TwoPrecisions two(backend, "csr", test::unstructured_mesh(2, 1));
      const auto M = make_preconditioner<float>("jacobi", *two.A_float);
      DefectCorrection solver(*two.A, *two.A_float, *M);
      auto b         = test::random_values<double>(two.A->n_owned(), 7);
      const auto end = [&](const CGControl &control) {
        Vector<double> x = two.A->make_vector();
        const CGResult result =
          solver.solve(x, test::make_vector(*two.A, b), control);
        for (const double value : test::owned_values(x))
          EXPECT_TRUE(std::isfinite(value));
        return result;
      };
      CGControl control;
      control.relative_tolerance = 1e-30;
      const CGResult stagnated   = end(control);
      EXPECT_EQ(stagnated.end, SolveEnd::stagnated);
      EXPECT_LE(stagnated.true_residual, 1e-13 * test::norm(b));
      control.relative_tolerance = 1e-10;
      for (const int limit : {1, 2, 4})
        {
          control.max_iterations = limit;
          EXPECT_EQ(end(control).end, SolveEnd::iteration_limit);
          EXPECT_EQ(end(control).iterations, limit);
        }
      control.progress = [](int, double) { return false; };
      EXPECT_EQ(end(control).end, SolveEnd::interrupted);
      b[2] = std::nan("");
      EXPECT_EQ(end({}).end, SolveEnd::not_finite);
      b.assign(b.size(), 0.);
      EXPECT_TRUE(end({}).converged);
    }
}

TEST(ConvertRows, AreTheRoundedOnes)
{
  for (const Backend backend : test::backends())
    for (const std::string &name :
         test::linked({"csr", "ell", "sell", "lazy_ell"}))
      {
        const auto A = test::make_operator_on<double>(
          backend, name, test::unstructured_mesh(2, 1));
        const auto &rows = dynamic_cast<const RowOperator<double> &>(*A);
        const auto B     = convert_rows<float>(rows, name);
        EXPECT_EQ(B->name(), name == "lazy_ell" ? "csr" : name);
        const test::DenseMatrix a(*A), b(*B);
        for (int i = 0; i < A->n_owned(); ++i)
          for (int j = 0; j < A->n_owned(); ++j)
            EXPECT_EQ(static_cast<float>(a(i, j)), b(i, j)) << name;
      }
}

TEST(ConvertRows, KeepBlocksAndRefuseWhatOverflows)
{
  for (const Backend backend : test::backends())
    for (const std::string name : {"csr", "ell", "sell"})
      {
        SparsityPattern nodes;
        nodes.row_start = {0, 2, 4, 6};
        nodes.columns   = {0, 1, 0, 1, 1, 2}; // no padding
        CsrPattern pattern(nodes, backend);
        pattern.block = 2;
        const auto A  = make_row_operator<double>(name, std::move(pattern), 0);
        std::vector<double> values(A->matrix().values().size());
        for (std::size_t k = 0; k < values.size(); ++k)
          values[k] = 1 + 0.37 * k;
        A->matrix().values().copy_from(values);
        A->values_changed();
        const auto B = convert_rows<float>(*A, name);
        EXPECT_EQ(B->matrix().blocks().size, 2);
        const test::DenseMatrix a(*A), b(*B);
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j)
            EXPECT_EQ(static_cast<float>(a(i, j)), b(i, j)) << name;
        for (const double beyond : {1e200, 1e-200})
          {
            values.assign(values.size(), beyond);
            A->matrix().values().copy_from(values);
            EXPECT_THROW(convert_rows<float>(*A, name), MatrixError);
          }
      }
}

// Conjugate gradients and polynomials would compute nonsense without a word.
TEST(Symmetry, IsRequiredOfForms)
{
  const auto space =
    std::make_shared<const Space>(build_space(test::generated_mesh(2, 2, 3)));
  const Form form =
    advection_diffusion({Coefficient::Kind::uniform, 5, {1, 0, 1, 1, 1}});
  for (const Backend backend : test::backends())
    for (const std::string name : {"csr", "matrix_free", "local_matrices"})
      {
        SCOPED_TRACE(name + ", " + to_string(backend));
        const auto cells =
          std::make_shared<const CellData<double>>(space, backend);
        const auto A = make_operator<double>(name, cells, form);
        const None<double> none(*A);
        const auto refused = [](const std::string &what, const auto &make) {
          try
            {
              make();
              ADD_FAILURE() << what << " took it";
            }
          catch (const ParameterError &error)
            {
              EXPECT_EQ(error.what(),
                        what +
                          " need a symmetric form; "
                          "advection_diffusion is not symmetric.");
            }
        };
        for (const std::string method : {"classical", "single_reduction"})
          refused("Conjugate gradients",
                  [&]() { CG<double>(*A, none, method); });
        // Rounded rows are not symmetric either.
        if (const auto *const rows =
              dynamic_cast<const RowOperator<double> *>(A.get()))
          {
            const auto A_float = convert_rows<float>(*rows, "ell");
            const None<float> none_float(*A_float);
            refused("Conjugate gradients",
                    [&]() { DefectCorrection(*A, *A_float, none_float); });
          }
        refused("Preconditioners that are polynomials",
                [&]() { Polynomial<double> polynomial(*A); });
      }
}

// An operator is symmetric if the form of its present values is.
TEST(Symmetry, IsThatOfTheLastValues)
{
  const auto space =
    std::make_shared<const Space>(build_space(test::generated_mesh(2, 2, 3)));
  const auto cells =
    std::make_shared<const CellData<double>>(space, Backend::host);
  const Form transport =
    advection_diffusion({Coefficient::Kind::uniform, 5, {1, 0, 1, 1, 1}});
  Assembler<double> assembler("csr", cells);
  const FormData<double> symmetric(
    laplace({Coefficient::Kind::uniform, 3, {1, 0, 1}}), *cells),
    other(transport, *cells);
  const auto A = assembler.make_operator(symmetric);
  const None<double> none(*A);
  EXPECT_NO_THROW(CG<double>(*A, none));
  assembler.assemble(*A, other);
  EXPECT_THROW(CG<double>(*A, none), ParameterError);
  assembler.assemble(*A, symmetric);
  EXPECT_NO_THROW(CG<double>(*A, none));
}
