#include "cell_models/diffusion_stages.h"
#include "cell_models/lumped_operator.h"

#include <tessera/base/error.h>
#include <tessera/base/runtime.h>
#include <tessera/forms/mass.h>
#include <tessera/solvers/problem.h>
#include <tessera/space/generator.h>

#include <cmath>
#include <limits>

#include "problems.h"
#include "test.h"

using namespace tessera;

namespace
{
  using Values = std::vector<double>;

  constexpr double eps = std::numeric_limits<double>::epsilon();

  /// A distorted mesh with an anisotropic D, K in rows and the row sums of the
  /// mass matrix.
  struct Tissue
  {
    Tissue(const Backend backend, const CellType type, const int degree)
      : problem(std::make_shared<const Space>(build_space(
                  generate({type, 4, 3, 2, degree, 0.2, 1, false}))),
                backend),
        D(test::anisotropic(problem.space().dim())),
        K(problem.make_operator("csr", laplace(D))),
        mass(problem.right_hand_side(Coefficient::scalar(1)))
    {}

    Vector<double>
    inverse_mass() const
    {
      Values values = mass.to_vector();
      for (double &value : values)
        value = 1 / value;
      Vector<double> result = K->make_vector();
      result.copy_from(values);
      return result;
    }

    const Problem<double> problem;
    const Coefficient D;
    const std::unique_ptr<Operator<double>> K;
    const Vector<double> mass;
  };

  const std::vector<std::pair<CellType, int>> elements = {
    {CellType::quadrilateral, 1},
    {CellType::quadrilateral, 2},
    {CellType::triangle, 1},
    {CellType::hexahedron, 1},
    {CellType::tetrahedron, 1}};

  double
  largest_difference(const Values &a, const Values &b)
  {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
  }

  /// R(z), by the stages.
  double
  polynomial(const StageSteps &step, const double z)
  {
    double x = 1, d = 0;
    for (const PolynomialStep &stage : step.steps)
      {
        d = stage.before * d + stage.residual * z * x;
        x -= d;
      }
    return 1 + step.factor * (x - 1);
  }

  /// exp(-dt M^-1 K) V by Taylor's series on short steps of dense matrices.
  Values
  exact(const Tissue &tissue, const Values &V, const double dt)
  {
    const test::DenseMatrix K(*tissue.K);
    const Values mass     = test::owned_values(tissue.mass);
    constexpr int n_steps = 64;
    Values result         = V;
    for (int step = 0; step < n_steps; ++step)
      {
        Values term = result;
        for (int k = 1; k <= 16; ++k)
          {
            term = K.times(term);
            for (std::size_t i = 0; i < term.size(); ++i)
              {
                term[i] *= -dt / n_steps / k / mass[i];
                result[i] += term[i];
              }
          }
      }
    return result;
  }
} // namespace


TEST(LumpedOperatorTest, IsTheSumOfBothMatrices)
{
  for (const Backend backend : test::backends())
    for (const auto &[type, degree] : elements)
      {
        const Tissue tissue(backend, type, degree);
        const test::DenseMatrix K(*tissue.K);
        const auto consistent = tissue.problem.make_operator("csr", mass());
        const int n           = tissue.K->n_owned();
        const Values of_rows  = test::owned_values(tissue.mass);
        Vector<double> y      = tissue.K->make_vector();
        consistent->vmult(y, test::make_vector(*tissue.K, Values(n, 1.)));
        const Values sums = test::owned_values(y);
        const Values x    = test::random_values<double>(n, 3);
        for (const double factor : {0., 0.03})
          {
            const LumpedOperator<double> A(*tissue.K, tissue.mass, factor);
            Array<double> dot(backend, 1);
            Vector<double> d = A.make_vector();
            A.vmult(y, test::make_vector(A, x),
                    Epilogue<double>::dot(dot.data()));
            A.diagonal(d);
            const Values Ax = test::owned_values(y), D = test::owned_values(d);
            double x_Ax = 0, size = 0;
            for (int i = 0; i < n; ++i)
              {
                EXPECT_NEAR(of_rows[i], sums[i], 30 * eps * of_rows[i]);
                EXPECT_GT(of_rows[i], 0);
                double sum = of_rows[i] * x[i], scale = std::abs(sum);
                for (int j = 0; j < n; ++j)
                  {
                    sum += factor * K(i, j) * x[j];
                    scale += std::abs(factor * K(i, j) * x[j]);
                  }
                EXPECT_NEAR(Ax[i], sum, 30 * eps * scale);
                EXPECT_NEAR(D[i], of_rows[i] + factor * K(i, i),
                            4 * eps * D[i]);
                x_Ax += x[i] * sum;
                size += std::abs(x[i]) * scale;
              }
            EXPECT_NEAR(dot.to_vector()[0], x_Ax, 30 * eps * size);
            EXPECT_THROW(A.vmult(y, d, Epilogue<double>::add()),
                         std::logic_error);
          }
      }
}


TEST(StageStepsTest, AreStableAndOfTheirOrder)
{
  for (const int order : {1, 2})
    for (const double z : {0.01, 1.23, 1.9, 2.1, 17., 300., 5000.})
      {
        const StageSteps step(order, z);
        const auto s = static_cast<double>(step.steps.size());
        EXPECT_GE(step.reach, z);
        // Stages grow with the root of z: 2 s^2 and 2/3 s^2 are the most.
        EXPECT_LE(s, order + std::sqrt(z / (order == 1 ? 1.9 : 0.63)));
        EXPECT_EQ(polynomial(step, 0), 1);
        for (int k = 1; k <= 4000; ++k)
          EXPECT_LE(std::abs(polynomial(step, step.reach * k / 4000)),
                    1 + 100 * s * eps);
        const auto error = [&](const double t) {
          return std::abs(polynomial(step, t) - std::exp(-t));
        };
        EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), order + 1, 0.05);
      }
  EXPECT_EQ(StageSteps(1, 1.23).steps.size(), 1u);
  EXPECT_EQ(StageSteps(2, 1.23).steps.size(), 2u);
  EXPECT_NEAR(polynomial(StageSteps(1, 1), 0.7), 1 - 0.7, 4 * eps);
  EXPECT_NEAR(polynomial(StageSteps(2, 1), 0.7), 1 - 0.7 + 0.245, 16 * eps);
  EXPECT_THROW(StageSteps(1, 1e5), ParameterError);
  EXPECT_THROW(StageSteps(2, std::nan("")), ParameterError);
}


TEST(DiffusionStagesTest, FollowTheExactSolution)
{
  for (const Backend backend : test::backends())
    for (const auto &[type, degree] : elements)
      {
        const Tissue tissue(backend, type, degree);
        const int n = tissue.K->n_owned();
        DiffusionStages<double> stages(*tissue.K, tissue.inverse_mass());
        const double largest = stages.bounds().upper;
        Values V(n, 0.);
        V[n / 3]         = 1;
        V[n / 2]         = -3;
        const auto error = [&](const int order, const double z) {
          const double dt        = z / largest;
          Vector<double> x       = test::make_vector(*tissue.K, V);
          const StageSteps steps = stages.steps(order, dt);
          stages.advance(x, steps, dt);
          EXPECT_TRUE(stages.is_finite());
          return largest_difference(test::owned_values(x),
                                    exact(tissue, V, dt));
        };
        for (const int order : {1, 2})
          EXPECT_NEAR(std::log2(error(order, 0.04) / error(order, 0.02)),
                      order + 1, 0.1);
        EXPECT_LT(error(2, 1), 0.5 * error(1, 1));
      }
}


TEST(DiffusionStagesTest, KeepTheSumAndDiminishAnyPotential)
{
  for (const Backend backend : test::backends())
    for (const auto &[type, degree] : elements)
      {
        const Tissue tissue(backend, type, degree);
        const int n = tissue.K->n_owned();
        DiffusionStages<double> stages(*tissue.K, tissue.inverse_mass());
        const Values mass = test::owned_values(tissue.mass),
                     V    = test::random_values<double>(n, 7);
        for (const int order : {1, 2})
          for (const double z : {0.3, 1.9, 40.})
            {
              const double dt        = z / stages.bounds().upper;
              const StageSteps steps = stages.steps(order, dt);
              Vector<double> x       = test::make_vector(*tissue.K, V);
              stages.advance(x, steps, dt);
              const Values after = test::owned_values(x);
              double change = 0, scale = 0, squares = 0, of_after = 0;
              for (int i = 0; i < n; ++i)
                {
                  change += mass[i] * (after[i] - V[i]);
                  scale += mass[i] * std::abs(V[i]);
                  squares += mass[i] * V[i] * V[i];
                  of_after += mass[i] * after[i] * after[i];
                }
              EXPECT_LT(std::abs(change),
                        30 * eps * double(steps.steps.size()) * scale);
              EXPECT_LT(of_after, squares);
              // The same once more has the same bits.
              Vector<double> again = test::make_vector(*tissue.K, V);
              stages.advance(again, steps, dt);
              EXPECT_EQ(test::owned_values(again), after);
            }
        Values bad       = V;
        bad[n / 2]       = std::nan("");
        Vector<double> x = test::make_vector(*tissue.K, bad);
        stages.advance(x, stages.steps(1, 0), 0);
        EXPECT_FALSE(stages.is_finite());
      }
}


TEST(DiffusionStagesTest, CanBeCaptured)
{
  if (test::backends().back() == Backend::host)
    GTEST_SKIP() << "graphs are a device's";
  const Tissue tissue(Backend::cuda, CellType::hexahedron, 1);
  DiffusionStages<double> stages(*tissue.K, tissue.inverse_mass());
  const double dt        = 5 / stages.bounds().upper;
  const StageSteps steps = stages.steps(2, dt);
  const Values V         = test::random_values<double>(tissue.K->n_owned(), 9);
  Vector<double> x       = test::make_vector(*tissue.K, V),
                 y       = test::make_vector(*tissue.K, V);
  const Stream stream    = runtime::create_stream();
  {
    const runtime::Graph graph(stream,
                               [&]() { stages.advance(x, steps, dt, stream); });
    graph.replay(stream);
    runtime::synchronize(stream);
  }
  runtime::destroy_stream(stream);
  stages.advance(y, steps, dt);
  EXPECT_EQ(test::owned_values(x), test::owned_values(y));
}
