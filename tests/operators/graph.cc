#include "cases.h"

#include <tessera/forms/laplace.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>

// Work that is captured in a graph and replayed must be the same as if called
// directly. On a device this also proves that it neither allocates nor
// synchronises, and that nothing goes to another stream.
namespace tessera
{
  using namespace test;

  class GraphTest : public testing::Test
  {
  protected:
    void
    SetUp() override
    {
      if (backends().back() == Backend::host)
        GTEST_SKIP() << "graphs are a device's";
      stream = runtime::create_stream();
    }

    void
    TearDown() override
    {
      if (stream.handle != nullptr)
        runtime::destroy_stream(stream);
    }

    /// Captures `work` and replays it `n` times.
    void
    replay(const std::function<void()> &work, const int n = 1)
    {
      const runtime::Graph graph(stream, work);
      for (int i = 0; i < n; ++i)
        graph.replay(stream);
      runtime::synchronize(stream);
    }

    Stream stream;
  };

  TEST_F(GraphTest, RunsItsWorkAtEveryReplayAlone)
  {
    const auto space =
      std::make_shared<const Space>(build_space(unstructured_mesh(2, 1)));
    const auto A = Problem<double>(space, Backend::cuda, {},
                                   {{}, "local_reuse", Conflict::coloring})
                     .make_operator("matrix_free", laplace(anisotropic()));
    const auto x = random_vector(*A, 1);
    auto y = A->make_vector(), direct = A->make_vector();
    const runtime::Graph graph(
      stream, [&]() { A->vmult(y, x, Epilogue<double>::add(), stream); });
    runtime::synchronize(stream);
    EXPECT_EQ(owned_values(y), owned_values(direct));
    for (int i = 0; i < 3; ++i)
      {
        graph.replay(stream);
        A->vmult(direct, x, Epilogue<double>::add());
      }
    runtime::synchronize(stream);
    EXPECT_EQ(owned_values(y), owned_values(direct));
    EXPECT_NE(owned_values(y), std::vector<double>(A->n_owned(), 0.));
  }

  TEST_F(GraphTest, AllocationsAreRefused)
  {
    if (runtime::is_shim())
      GTEST_SKIP() << "the shim captures nothing";
    EXPECT_THROW(
      runtime::Graph(stream, []() { Array<double>(Backend::cuda, 100); }),
      DeviceError);
    EXPECT_THROW(
      runtime::Graph(stream, [&]() { runtime::synchronize(stream); }),
      DeviceError);
    // After these errors, legal work can still be captured.
    Array<double> ones(Backend::cuda, std::vector<double>(10, 1.));
    replay([&]() { ones.zero(stream); });
    EXPECT_EQ(ones.to_vector(), std::vector<double>(10, 0.));
    EXPECT_THROW(runtime::Graph(stream, [&]() { ones.zero(); }), DeviceError)
      << "the default stream is another one";
    EXPECT_THROW(runtime::Graph(stream, [&]() { ones.to_vector(); }),
                 DeviceError);
  }

  TEST_F(GraphTest, OperatorsReplay)
  {
    int turn = 0;
    for (const PreparedCase &c : prepared_cases())
      {
        SCOPED_TRACE(c.name);
        const auto check = [&](const auto number, const Oracle &oracle) {
          using Number = std::remove_const_t<decltype(number)>;
          const auto cells =
            std::make_shared<const CellData<Number>>(c.space, Backend::cuda);
          for (const std::string &name : operator_names())
            for (const Conflict conflict : conflicts(Backend::cuda, name))
              {
                if (left_out(turn++, 10))
                  continue;
                SCOPED_TRACE(name + ", " + to_string(conflict));
                AssemblyOptions options;
                options.conflict = conflict;
                const auto A     = make_operator<Number>(
                  name, cells, laplace(oracle.kappa), options);
                const auto x = random_vector(*A, 3);
                auto y = random_vector(*A, 4), z = random_vector(*A, 4);
                auto d = A->make_vector(), e = A->make_vector();
                Array<double> dot(Backend::cuda, 2);
                const auto all = [&](Vector<Number> &to, Vector<Number> &diag,
                                     double *result, const Stream where) {
                  A->vmult(to, x, Epilogue<Number>::dot(result), where);
                  A->vmult(to, x, Epilogue<Number>::add(), where);
                  A->diagonal(diag, where);
                };
                all(y, d, dot.data(), {});
                runtime::synchronize({});
                replay([&]() { all(z, e, dot.data() + 1, stream); }, 2);

                const auto dots = dot.to_vector();
                if (A->repeatable())
                  {
                    EXPECT_EQ(owned_values(z), owned_values(y));
                    EXPECT_EQ(owned_values(e), owned_values(d));
                    EXPECT_EQ(dots[1], dots[0]);
                    continue;
                  }
                std::vector<double> product, scale;
                oracle.vmult(as_double(x.to_vector()), product, scale);
                for (double &value : scale)
                  value *= 2;
                EXPECT_LT(rounding_units(owned_values(z),
                                         as_double(owned_values(y)), scale),
                          rounding_limit);
                const auto diagonal = as_double(owned_values(d));
                EXPECT_LT(rounding_units(owned_values(e), diagonal, diagonal),
                          rounding_limit);
                EXPECT_LT(rounding_units<Number>({Number(dots[1])}, {dots[0]},
                                                 {std::abs(dots[0])}),
                          rounding_limit);
              }
        };
        if (c.space->n_cells() < 100 && c.space->n_cells() > 31)
          check(float(), c.oracles[1]);
        if (c.space->n_cells() > 128)
          check(double(), c.oracles.back());
      }
  }

  TEST_F(GraphTest, PreconditionersAndSolversReplay)
  {
    const auto check = [&](const auto number, const std::string &name,
                           const int degree) {
      using Number = std::remove_const_t<decltype(number)>;
      SCOPED_TRACE(name + ", degree " + std::to_string(degree));
      const auto A = make_operator_on<Number>(Backend::cuda, name,
                                              unstructured_mesh(degree, 1));
      const Jacobi<Number> jacobi(*A);
      const auto b = random_vector(*A, 3);
      auto z = A->make_vector(), direct = A->make_vector();
      jacobi.apply(direct, b, {});
      runtime::synchronize({});
      replay([&]() { jacobi.apply(z, b, stream); });
      EXPECT_EQ(owned_values(z), owned_values(direct));

      constexpr int n_iterations = 7;
      CG<Number> cg(*A, jacobi), captured(*A, jacobi);
      auto x = A->make_vector(), y = A->make_vector();
      CGControl control;
      control.relative_tolerance = 0;
      cg.start(x, b, control, stream);
      for (int i = 0; i < n_iterations; ++i)
        cg.iterate(x, stream);
      const CGResult expected = cg.state(stream);
      replay([&]() { captured.start(y, b, control, stream); });
      replay([&]() { captured.iterate(y, stream); }, n_iterations);
      const CGResult result = captured.state(stream);
      EXPECT_EQ(result.iterations, n_iterations);
      EXPECT_EQ(result.iterations, expected.iterations);
      EXPECT_EQ(result.initial_residual, expected.initial_residual);
      EXPECT_EQ(result.residual, expected.residual);
      EXPECT_LT(result.residual, result.initial_residual);
      EXPECT_EQ(owned_values(y), owned_values(x));

      // It makes graphs of its own, for two vectors and two counts, or none.
      CG<Number> own(*A, jacobi);
      for (int k = 0; k < 2; ++k)
        {
          auto w = A->make_vector();
          own.start(w, b, control, stream);
          own.replay_iterations(w, n_iterations - 2, stream);
          own.replay_iterations(w, 1, stream);
          own.replay_iterations(w, 1, stream);
          EXPECT_EQ(own.state(stream).residual, expected.residual);
          EXPECT_EQ(owned_values(w), owned_values(x));
        }
      control.max_iterations = n_iterations;
      for (const bool graph : {false, true})
        {
          control.graph = graph;
          auto w        = A->make_vector();
          EXPECT_EQ(own.solve(w, b, control).iterations, n_iterations);
          EXPECT_EQ(owned_values(w), owned_values(x));
        }
    };
    int turn = 0;
    for (const std::string &name : operator_names())
      for (const int degree : test::degrees(CellType::quadrilateral))
        {
          // Operators and degrees in turn: fibers replay by calling again.
          if (left_out(turn++, is_twin(name) ? 10 : 3))
            continue;
          check(double(), name, degree);
          check(float(), name, degree);
        }
  }
} // namespace tessera
