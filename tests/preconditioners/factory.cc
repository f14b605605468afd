#include <tessera/base/error.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/solvers/cg.h>

#include "problems.h"
#include "test.h"

using namespace tessera;

TEST(MakePreconditioner, GivesWhatIsNamed)
{
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "csr", test::unstructured_mesh(2, 1));
      for (const std::string &name : plain_preconditioner_names())
        {
          const auto M = make_preconditioner(name, *A);
          EXPECT_EQ(M->name(), name);
          const std::size_t vectors = 2 * sizeof(double) * A->n_owned();
          EXPECT_GE(M->traffic().compulsory, vectors);
          EXPECT_GE(M->traffic().stored, vectors / 2);
        }
    }
}

TEST(MakePreconditioner, RefusesWhatDoesNotExist)
{
  const auto A = test::make_operator_on<double>(
    Backend::host, "matrix_free", test::unstructured_mesh(1, 0, false));
  try
    {
      make_preconditioner("cholesky", *A);
      FAIL() << "no error";
    }
  catch (const ParameterError &error)
    {
      EXPECT_EQ(std::string(error.what()).substr(0, 52),
                "The preconditioner 'cholesky' does not exist; it is ");
    }
}

TEST(None, IsTheIdentity)
{
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<float>(
        backend, "matrix_free", test::unstructured_mesh(2, 1));
      const auto M               = make_preconditioner("none", *A);
      const std::vector<float> r = test::random_values<float>(A->n_owned());
      Vector<float> z            = A->make_vector();
      M->apply(z, test::make_vector(*A, r), {});
      EXPECT_EQ(test::owned_values(z), r);
      ASSERT_NE(M->inverse_diagonal(), nullptr);
      EXPECT_EQ(test::owned_values(*M->inverse_diagonal()),
                std::vector<float>(A->n_owned(), 1));
    }
}

TEST(None, GivesPlainConjugateGradients)
{
  // The first step goes along b, so x = (b.b / b.Ab) b.
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "csr", test::unstructured_mesh(2, 1));
      const auto M = make_preconditioner("none", *A);
      CG<double> cg(*A, *M);
      const std::vector<double> b = test::random_values<double>(A->n_owned());
      Vector<double> x = A->make_vector(), y = A->make_vector();
      CGControl control;
      control.max_iterations = 1;
      cg.solve(x, test::make_vector(*A, b), control);
      A->vmult(y, test::make_vector(*A, b));
      const std::vector<double> Ab = test::owned_values(y);
      double b_b = 0, b_Ab = 0;
      for (std::size_t i = 0; i < b.size(); ++i)
        {
          b_b += b[i] * b[i];
          b_Ab += b[i] * Ab[i];
        }
      const std::vector<double> values = test::owned_values(x);
      for (std::size_t i = 0; i < b.size(); ++i)
        EXPECT_NEAR(values[i], b_b / b_Ab * b[i],
                    1e-15 * A->n_owned() * b_b / b_Ab);
    }
}
