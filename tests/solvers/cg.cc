#include <tessera/base/runtime.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>

#include <limits>

#include "problems.h"
#include "test.h"
#include "turns.h"

using namespace tessera;
namespace
{
  /// A Jacobi preconditioner that hides its diagonal and is applied as a whole.
  template <class Number>
  class Applied : public Preconditioner<Number>
  {
  public:
    explicit Applied(const Operator<Number> &A) : jacobi(A)
    {}

    void
    apply(Vector<Number> &z, const Vector<Number> &r,
          const Stream stream) const override
    {
      jacobi.apply(z, r, stream);
    }

    Traffic
    traffic() const override
    {
      return jacobi.traffic();
    }

    std::string
    name() const override
    {
      return "applied";
    }

  private:
    Jacobi<Number> jacobi;
  };

  template <class Number>
  constexpr double tolerance =
    std::is_same<Number, double>::value ? 1e-10 : 1e-5;

  template <class Number>
  CGControl
  control(const int check_every = 16)
  {
    CGControl result;
    result.relative_tolerance = tolerance<Number>;
    result.check_every        = check_every;
    return result;
  }

  template <class Number>
  struct Solution
  {
    CGResult result;
    std::vector<Number> x;
  };

  template <class Number>
  std::vector<Number>
  right_hand_side(const Operator<Number> &A)
  {
    return test::random_values<Number>(A.n_owned(), 7);
  }

  template <class Number, class P = Jacobi<Number>>
  Solution<Number>
  solve(const Operator<Number> &A,
        const CGControl &control = ::control<Number>())
  {
    const P preconditioner(A);
    CG<Number> cg(A, preconditioner);
    Vector<Number> x = A.make_vector();
    const CGResult result =
      cg.solve(x, test::make_vector(A, right_hand_side(A)), control);
    return {result, test::owned_values(x)};
  }

  /// The true residual differs from the recurrence's by the rounding of every
  /// iteration, and the error is A^-1 times it. `host` is A on the host.
  template <class Number>
  void
  expect_solves_like_direct_method(const Operator<Number> &A,
                                   const Operator<Number> &host)
  {
    const test::DenseMatrix matrix(host), inverse = matrix.inverse();
    const std::vector<Number> b         = right_hand_side(A);
    const std::vector<double> reference = inverse.times(b);
    const Solution<Number> s            = solve(A);

    EXPECT_TRUE(s.result.converged);
    EXPECT_LE(s.result.residual, tolerance<Number> * test::norm(b));
    EXPECT_NEAR(s.result.initial_residual, test::norm(b),
                A.n_owned() * std::numeric_limits<double>::epsilon() *
                  test::norm(b));
    EXPECT_GT(s.result.iterations, 3);
    EXPECT_LE(s.result.iterations, A.n_owned());
    const double rounding = s.result.iterations *
                            std::numeric_limits<Number>::epsilon() *
                            matrix.norm() * test::norm(reference);
    EXPECT_LE(test::distance(s.x, reference),
              inverse.norm() * (tolerance<Number> * test::norm(b) + rounding));
  }

  template <class F>
  void
  for_each_operator(const F &f, const int n = 10)
  {
    int turn = 0;
    for (const Backend backend : test::backends())
      for (const std::string &name : operator_names())
        for (const int degree : {1, 2})
          {
            if (test::is_watched() && !test::in_turn(turn++, n))
              continue; // of n operators one has its turn
            SCOPED_TRACE(to_string(backend) + ", " + name + ", degree " +
                         std::to_string(degree));
            f(backend, name, test::unstructured_mesh(degree, 3 - degree));
          }
  }
} // namespace

TEST(CG, SolvesLikeADirectMethod)
{
  for_each_operator(
    [](const Backend backend, const std::string &name,
       const Connectivity &mesh) {
      expect_solves_like_direct_method(
        *test::make_operator_on<double>(backend, name, mesh),
        *test::make_operator_on<double>(Backend::host, name, mesh));
      expect_solves_like_direct_method(
        *test::make_operator_on<float>(backend, name, mesh),
        *test::make_operator_on<float>(Backend::host, name, mesh));
    },
    5);
}

TEST(CG, BackendsAgreeOnTheIterations)
{
  for_each_operator([](const Backend backend, const std::string &name,
                       const Connectivity &mesh) {
    const auto host =
      solve(*test::make_operator_on<double>(Backend::host, name, mesh));
    const auto of_device =
      solve(*test::make_operator_on<double>(backend, name, mesh));
    EXPECT_NEAR(host.result.iterations, of_device.result.iterations, 1);
  });
}

TEST(CG, SquaresOfFloatsDoNotOverflow)
{
  // Squares overflow or vanish in float; powers of two change no other bits.
  for (const Backend backend : test::backends())
    for (const float unit : {0x1p80f, 0x1p-80f})
      {
        const auto A = test::make_operator_on<float>(
          backend, "csr", test::unstructured_mesh(2, 1));
        std::vector<float> b = right_hand_side(*A);
        const auto reference = solve(*A);
        for (float &value : b)
          value *= unit;
        const Jacobi<float> jacobi(*A);
        Vector<float> x = A->make_vector();
        const CGResult result =
          CG<float>(*A, jacobi)
            .solve(x, test::make_vector(*A, b), control<float>());
        EXPECT_TRUE(result.converged);
        EXPECT_EQ(result.iterations, reference.result.iterations);
        EXPECT_EQ(result.residual, unit * reference.result.residual);
      }
}

TEST(CG, ManyBlocksOfEntries)
{
  // Vectors have several blocks, on the host and on the device. The residual of
  // the recurrence differs from b - A x by the rounding of each step.
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "matrix_free", test::generated_mesh(4, 17, 16));
      EXPECT_GT(A->n_owned(), 4096);
      CGControl c      = control<double>();
      c.max_iterations = 6;
      const auto s     = solve(*A, c);
      EXPECT_EQ(s.result.iterations, 6);

      const std::vector<double> b = right_hand_side(*A);
      Vector<double> y            = A->make_vector();
      A->vmult(y, test::make_vector(*A, s.x));
      EXPECT_LT(s.result.residual, s.result.initial_residual);
      // Entries of A are below 10, and rows have at most 81 of them.
      const double rounding = 6 * std::numeric_limits<double>::epsilon() *
                              (test::norm(b) + 810 * test::norm(s.x));
      EXPECT_NEAR(s.result.residual, test::distance(test::owned_values(y), b),
                  rounding);
    }
}

TEST(CG, LooksOfTheHostChangeNothing)
{
  for_each_operator([](const Backend backend, const std::string &name,
                       const Connectivity &mesh) {
    const auto A    = test::make_operator_on<double>(backend, name, mesh);
    const auto once = solve(*A, control<double>(1));
    for (const int check_every : {3, 70})
      {
        const auto other = solve(*A, control<double>(check_every));
        EXPECT_TRUE(other.result.converged);
        if (A->repeatable())
          {
            EXPECT_EQ(once.result.iterations, other.result.iterations);
            EXPECT_EQ(once.result.residual, other.result.residual);
            EXPECT_EQ(once.x, other.x);
          }
      }
  });
}

TEST(CG, RepeatableBitByBit)
{
  for_each_operator([](const Backend backend, const std::string &name,
                       const Connectivity &mesh) {
    const auto A = test::make_operator_on<float>(backend, name, mesh);
    if (A->repeatable())
      {
        EXPECT_EQ(solve(*A).x, solve(*A).x);
      }
  });
}

TEST(CG, PreconditionerThatIsNotDiagonal)
{
  for_each_operator([](const Backend backend, const std::string &name,
                       const Connectivity &mesh) {
    const auto A       = test::make_operator_on<double>(backend, name, mesh);
    const auto fused   = solve(*A);
    const auto applied = solve<double, Applied<double>>(*A);
    EXPECT_TRUE(applied.result.converged);
    EXPECT_NEAR(fused.result.iterations, applied.result.iterations, 1);
    const double inverse = test::DenseMatrix(*test::make_operator_on<double>(
                                               Backend::host, name, mesh))
                             .inverse()
                             .norm();
    EXPECT_LE(test::distance(fused.x, applied.x),
              3 * inverse * tolerance<double> *
                test::norm(right_hand_side(*A)));
  });
}

TEST(CG, NothingToDo)
{
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "matrix_free", test::unstructured_mesh(2, 1));
      const Jacobi<double> jacobi(*A);
      CG<double> cg(*A, jacobi);

      Vector<double> x    = A->make_vector();
      const CGResult zero = cg.solve(x, A->make_vector(), control<double>());
      EXPECT_TRUE(zero.converged);
      EXPECT_EQ(zero.iterations, 0);
      EXPECT_EQ(zero.residual, 0);
      EXPECT_EQ(test::norm(x.to_vector()), 0);

      const auto before    = solve(*A);
      Vector<double> known = test::make_vector(*A, before.x);
      CGControl loose      = control<double>();
      loose.relative_tolerance *= 100;
      const CGResult none =
        cg.solve(known, test::make_vector(*A, right_hand_side(*A)), loose);
      EXPECT_TRUE(none.converged);
      EXPECT_EQ(none.iterations, 0);
      EXPECT_EQ(test::owned_values(known), before.x);
    }
}

TEST(CG, InitialGuessAndAbsoluteTolerance)
{
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "matrix_free", test::unstructured_mesh(2, 1));
      const Jacobi<double> jacobi(*A);
      CG<double> cg(*A, jacobi);
      CGControl absolute          = control<double>();
      absolute.relative_tolerance = 0;
      absolute.absolute_tolerance = 1e-7;
      Vector<double> x =
        test::make_vector(*A, test::random_values<double>(A->n_owned(), 3));
      const CGResult result =
        cg.solve(x, test::make_vector(*A, right_hand_side(*A)), absolute);
      EXPECT_TRUE(result.converged);
      EXPECT_LE(result.residual, 1e-7);
      EXPECT_LE(test::distance(test::owned_values(x), solve(*A).x),
                test::DenseMatrix(*A).inverse().norm() * 2e-7);
    }
}

TEST(CG, EndsWithoutConvergence)
{
  for (const Backend backend : test::backends())
    {
      const Connectivity mesh = test::unstructured_mesh(2, 1);
      const auto A =
        test::make_operator_on<double>(backend, "matrix_free", mesh);

      CGControl few      = control<double>();
      few.max_iterations = 5;
      const auto stopped = solve(*A, few);
      EXPECT_FALSE(stopped.result.converged);
      EXPECT_EQ(stopped.result.iterations, 5);
      EXPECT_GT(stopped.result.residual, 0);

      std::vector<double> b = right_hand_side(*A);
      b[3]                  = std::nan("");
      const Jacobi<double> jacobi(*A);
      Vector<double> x = A->make_vector();
      const CGResult invalid =
        CG<double>(*A, jacobi)
          .solve(x, test::make_vector(*A, b), control<double>());
      EXPECT_FALSE(invalid.converged);
      EXPECT_EQ(invalid.iterations, 0);

      // The diagonal is positive, but the matrix is not definite.
      const auto indefinite = test::make_operator_on<double>(
        backend, "matrix_free", mesh, Coefficient::tensor(1., 1.2, 1.));
      const auto broken = solve(*indefinite);
      EXPECT_FALSE(broken.result.converged);
      EXPECT_LT(broken.result.iterations, 10000);
      for (const double value : broken.x)
        EXPECT_TRUE(std::isfinite(value));
    }
}

TEST(CG, AnInterruptEndsTheSolveAtALook)
{
  for (const Backend backend : test::backends())
    {
      const auto A = test::make_operator_on<double>(
        backend, "matrix_free", test::unstructured_mesh(2, 1));
      CGControl interrupted = control<double>(4);
      std::vector<int> looks;
      interrupted.progress = [&](const int iteration, const double residual) {
        EXPECT_GT(residual, 0);
        looks.push_back(iteration);
        return looks.size() < 3;
      };
      const auto s = solve(*A, interrupted);
      EXPECT_TRUE(s.result.interrupted);
      EXPECT_FALSE(s.result.converged);
      EXPECT_EQ(looks, (std::vector<int>{0, 4, 8}));
      EXPECT_EQ(s.result.iterations, 8);
    }
}

TEST(CG, IterationsReplayFromAGraph)
{
  for_each_operator([](const Backend backend, const std::string &name,
                       const Connectivity &mesh) {
    if (backend == Backend::host)
      return;
    const auto A = test::make_operator_on<double>(backend, name, mesh);
    const Jacobi<double> jacobi(*A);
    const Applied<double> applied(*A);
    for (const Preconditioner<double> *preconditioner :
         {static_cast<const Preconditioner<double> *>(&jacobi),
          static_cast<const Preconditioner<double> *>(&applied)})
      {
        CG<double> cg(*A, *preconditioner);
        const Vector<double> b  = test::make_vector(*A, right_hand_side(*A));
        Vector<double> expected = A->make_vector();
        const CGResult direct   = cg.solve(expected, b, control<double>());

        const Stream stream = runtime::create_stream();
        Vector<double> x    = A->make_vector();
        cg.start(x, b, control<double>(), stream);
        {
          const runtime::Graph graph(stream, [&]() { cg.iterate(x, stream); });
          for (int i = 0; i < direct.iterations + 2; ++i)
            graph.replay(stream);
          const CGResult replayed = cg.state(stream);
          EXPECT_TRUE(replayed.converged);
          if (A->repeatable())
            {
              EXPECT_EQ(replayed.iterations, direct.iterations);
              EXPECT_EQ(test::owned_values(x), test::owned_values(expected));
            }
        }
        runtime::destroy_stream(stream);
      }
  });
}
