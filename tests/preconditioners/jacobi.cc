#include <tessera/base/runtime.h>
#include <tessera/preconditioners/jacobi.h>

#include <limits>

#include "problems.h"
#include "test.h"

using namespace tessera;

namespace
{
  /// The diagonal of the operator is a sum of a few dozen terms of one sign;
  /// its inverse and the product round once more.
  template <class Number>
  void
  check(const Backend backend, const std::string &name,
        const Connectivity &mesh)
  {
    constexpr double tolerance = 64 * std::numeric_limits<Number>::epsilon();
    const auto A = test::make_operator_on<Number>(backend, name, mesh);
    const test::DenseMatrix matrix(*A);
    const Jacobi<Number> jacobi(*A);
    ASSERT_NE(jacobi.inverse_diagonal(), nullptr);
    const std::vector<Number> inverse =
      test::owned_values(*jacobi.inverse_diagonal());
    const std::vector<Number> r = test::random_values<Number>(A->n_owned());
    Vector<Number> z            = A->make_vector();
    jacobi.apply(z, test::make_vector(*A, r), {});
    const std::vector<Number> applied = test::owned_values(z);
    for (int i = 0; i < A->n_owned(); ++i)
      {
        EXPECT_NEAR(inverse[i] * matrix(i, i), 1, tolerance) << i;
        EXPECT_NEAR(applied[i] * matrix(i, i), r[i],
                    tolerance * std::abs(double(r[i])))
          << i;
      }
  }
} // namespace

TEST(Jacobi, IsTheInverseOfTheDiagonal)
{
  for (const Backend backend : test::backends())
    for (const std::string &name : operator_names())
      for (const auto &[degree, n_refinements] :
           {std::pair(1, 2), std::pair(2, 1), std::pair(4, 0)})
        {
          SCOPED_TRACE(to_string(backend) + ", " + name + ", degree " +
                       std::to_string(degree));
          check<double>(backend, name,
                        test::unstructured_mesh(degree, n_refinements));
          check<float>(backend, name,
                       test::unstructured_mesh(degree, n_refinements));
        }
}

TEST(Jacobi, ReplaysFromAGraph)
{
  for (const Backend backend : test::backends())
    {
      if (backend == Backend::host)
        continue;
      const auto A = test::make_operator_on<double>(
        backend, "matrix_free", test::unstructured_mesh(2, 2));
      const Jacobi<double> jacobi(*A);
      const Vector<double> r =
        test::make_vector(*A, test::random_values<double>(A->n_owned()));
      Vector<double> direct = A->make_vector(), replayed = A->make_vector();
      jacobi.apply(direct, r, {});
      const Stream stream = runtime::create_stream();
      {
        const runtime::Graph graph(
          stream, [&]() { jacobi.apply(replayed, r, stream); });
        graph.replay(stream);
        runtime::synchronize(stream);
      }
      EXPECT_EQ(direct.to_vector(), replayed.to_vector());
      runtime::destroy_stream(stream);
    }
}
