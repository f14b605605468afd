#include "peer_operator.h"

#include "problems.h"
#include "test.h"

#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>

#include <cmath>
#include <limits>

using namespace tessera;

// Tests our solver with products of other libraries. The library here is
// Tessera, which is asked for nothing but y = A x.
namespace
{
  template <class Number>
  class Product : public benchmarks::PeerOperator<Number>
  {
  public:
    explicit Product(const Operator<Number> &A)
      : benchmarks::PeerOperator<Number>(A.backend(), A.n_owned(), A.n_tail()),
        A(A)
    {}

    Traffic
    traffic() const override
    {
      return A.traffic();
    }

    bool
    repeatable() const override
    {
      return A.repeatable();
    }

  protected:
    void
    multiply(Vector<Number> &y, const Vector<Number> &x,
             const Stream stream) const override
    {
      A.vmult(y, x, {}, stream);
    }

  private:
    const Operator<Number> &A;
  };

  template <class F>
  void
  for_each_matrix(const F &f)
  {
    for (const Backend backend : test::backends())
      for (const int degree : {1, 2})
        {
          SCOPED_TRACE(to_string(backend) + ", degree " +
                       std::to_string(degree));
          const auto mesh = test::unstructured_mesh(degree, 3 - degree);
          f(*test::make_operator_on<double>(backend, "csr", mesh),
            *test::make_operator_on<double>(Backend::host, "csr", mesh));
          f(*test::make_operator_on<float>(backend, "csr", mesh),
            *test::make_operator_on<float>(Backend::host, "csr", mesh));
        }
  }

  template <class Number>
  void
  expect_products(const Operator<Number> &A)
  {
    const Product<Number> product(A);
    const Operator<Number> &peer = product;
    const auto x =
      test::make_vector(A, test::random_values<Number>(A.n_owned()));
    auto y = A.make_vector(), from_peer = A.make_vector();
    A.vmult(y, x);
    peer.vmult(from_peer, x);
    EXPECT_EQ(test::owned_values(from_peer), test::owned_values(y));

    from_peer.zero();
    Array<double> sum(A.backend(), 1);
    peer.vmult(from_peer, x, Epilogue<Number>::dot(sum.data()));
    EXPECT_EQ(test::owned_values(from_peer), test::owned_values(y));
    const auto x_i = test::owned_values(x), y_i = test::owned_values(y);
    double reference = 0, scale = 0;
    for (std::size_t i = 0; i < x_i.size(); ++i)
      {
        reference += double(x_i[i]) * double(y_i[i]);
        scale += std::abs(double(x_i[i]) * double(y_i[i]));
      }
    EXPECT_NEAR(sum.to_vector()[0], reference,
                x_i.size() * std::numeric_limits<double>::epsilon() * scale);

    EXPECT_THROW(peer.vmult(from_peer, x, Epilogue<Number>::add()),
                 std::logic_error);
    EXPECT_THROW(peer.diagonal(from_peer), ParameterError);
  }

  template <class Number>
  struct Solution
  {
    CGResult result;
    std::vector<Number> x;
  };

  template <class Number>
  Solution<Number>
  solve(const Operator<Number> &A, const Preconditioner<Number> &M,
        const CGControl &control)
  {
    CG<Number> cg(A, M);
    auto x = A.make_vector();
    const auto b =
      test::make_vector(A, test::random_values<Number>(A.n_owned(), 7));
    const CGResult result = cg.solve(x, b, control);
    return {result, test::owned_values(x)};
  }

  /// Expects as many iterations and, up to the tolerance, the same solution as
  /// with the product that also computes the sum.
  template <class Number>
  void
  expect_iterations(const Operator<Number> &A, const Operator<Number> &host)
  {
    const Product<Number> peer(A);
    const Jacobi<Number> M(A);
    CGControl control;
    control.relative_tolerance = sizeof(Number) == 8 ? 1e-10 : 1e-5;
    const auto with_peer       = solve<Number>(peer, M, control);
    const auto ours            = solve(A, M, control);
    EXPECT_TRUE(with_peer.result.converged);
    EXPECT_NEAR(with_peer.result.iterations, ours.result.iterations, 1);
    const test::DenseMatrix matrix(host), inverse = matrix.inverse();
    const double b = test::norm(test::random_values<Number>(A.n_owned(), 7));
    const double rounding = ours.result.iterations *
                            std::numeric_limits<Number>::epsilon() *
                            matrix.norm() * test::norm(ours.x);
    EXPECT_LE(test::distance(with_peer.x, ours.x),
              2 * inverse.norm() * (control.relative_tolerance * b + rounding));

    // Iterations are launched one by one and not as a graph.
    control.graph      = false;
    const auto singles = solve<Number>(peer, M, control);
    EXPECT_EQ(singles.result.iterations, with_peer.result.iterations);
    EXPECT_EQ(singles.x, with_peer.x);
  }
} // namespace

TEST(PeerOperator, StoresAndSumsUp)
{
  for_each_matrix([](const auto &A, const auto &) { expect_products(A); });
}

TEST(PeerOperator, IteratesInOurSolver)
{
  for_each_matrix(
    [](const auto &A, const auto &host) { expect_iterations(A, host); });
}
