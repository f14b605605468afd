#include <tessera/base/error.h>
#include <tessera/forms/reaction_diffusion.h>

#include "form_oracle.h"
#include "point_membrane.h"

using namespace tessera;
using namespace tessera::test;

namespace
{
  template <class Model>
  void
  expect_recoveries(Problem &problem)
  {
    const auto u = random_potential(problem.model, *problem.space, 1);
    problem.linearize(on_backend(*problem.cells, u));
    problem.points->accept();
    const auto after = problem.points->states();
    const int n_q    = problem.n_points;
    FormOracle oracle(*problem.space, 1, Coefficient::scalar(1), {});
    oracle.solution = u;
    for (int cell = 0; cell < problem.space->n_cells(); ++cell)
      oracle.for_each_point(
        cell, [&](const PointAt &point, double, const auto &) {
          const std::size_t i = std::size_t(cell) * n_q + point.q;
          const double history =
            problem.difference.former * problem.states[i] +
            problem.difference.earlier * problem.states[after.size() / 2 + i];
          const double expected =
            expected_recovery<Model>(problem, point.solution.value[0], history,
                                     problem.lists[problem.regions[cell]]);
          ASSERT_NEAR(after[i], expected, 1e-9 * (1 + std::abs(expected)));
          ASSERT_EQ(after[after.size() / 2 + i], problem.states[i]);
        });
  }

  /// States that follow the potential, by plain numbers: a reaction with the
  /// potential of the end or, for order 2, of the middle of each part.
  template <class Model>
  void
  expect_followers(Problem &problem)
  {
    constexpr int n = Model::n_states - 1;
    const auto u    = random_potential(problem.model, *problem.space, 1);
    problem.linearize(on_backend(*problem.cells, u));
    problem.points->accept();
    const auto after           = problem.points->states();
    const std::size_t n_points = after.size() / n;
    const int order            = problem.difference.earlier != 0 ? 2 : 1;
    const double dt            = problem.difference.step;
    FormOracle oracle(*problem.space, 1, Coefficient::scalar(1), {});
    // The potential, the one before and the stimulus at all points.
    auto currents = problem.currents;
    currents.resize(u.size(), 0.);
    std::vector<double> at_points[3];
    for (const int which : {0, 1, 2})
      {
        oracle.solution = which == 0   ? u
                          : which == 1 ? problem.former
                                       : currents;
        for (int cell = 0; cell < problem.space->n_cells(); ++cell)
          oracle.for_each_point(
            cell, [&](const PointAt &point, double, const auto &) {
              at_points[which].push_back(point.solution.value[0]);
            });
      }
    for (std::size_t i = 0; i < n_points; ++i)
      {
        const double phi = at_points[0][i], former = at_points[1][i],
                     stimulus = at_points[2][i];
        const auto &list = problem.lists[problem.regions[i / problem.n_points]];
        double y[n + 1], p[Model::n_parameters];
        std::copy(list.begin(), list.end(), p);
        for (int k = 1; k <= n; ++k)
          y[k] = problem.states[(k - 1) * n_points + i];
        double at[n + 1], next[n + 1];
        std::copy(y, y + n + 1, at);
        at[0] = order == 2 ? (phi + former) / 2 : phi;
        if (order == 2)
          {
            advance_states<Model, false>(y, at, p, stimulus, dt / 2, {}, next);
            std::copy(next + 1, next + n + 1, at + 1);
          }
        advance_states<Model, false>(y, at, p, stimulus, dt, {}, next);
        for (int k = 1; k <= n; ++k)
          ASSERT_NEAR(after[(k - 1) * n_points + i], next[k],
                      1e-10 * std::abs(next[k]) + 1e-14)
            << problem.model.states[k].name;
      }
  }

  /// Computes the residual with one point in a cell by plain numbers, and
  /// compares.
  template <class Model>
  void
  expect_reduced_residual(Problem &problem)
  {
    const Space &space = *problem.space;
    const int dim = space.dim(), n = dim + 1;
    const auto u     = random_potential(problem.model, space, 1);
    const auto found = problem.residual(u);
    std::vector<double> expected(space.n_local(), 0.), scale = expected;
    FormOracle oracle(space, 1, problem.D, {});
    oracle.solution = u;
    for (int cell = 0; cell < space.n_cells(); ++cell)
      {
        const int *const dofs = oracle.dofs(cell);
        double volume = 0, phi = 0, history = 0, stimulus = 0;
        for (int i = 0; i < n; ++i)
          {
            phi += u[dofs[i]] / n;
            history += (problem.difference.former * problem.former[dofs[i]] +
                        problem.difference.earlier * problem.earlier[dofs[i]]) /
                       n;
            if (dofs[i] < space.n_owned)
              stimulus += problem.currents[dofs[i]] / n;
          }
        oracle.for_each_point(
          cell, [&](const PointAt &point, const double jxw, const auto &shape) {
            volume += jxw;
            for (int i = 0; i < n; ++i)
              for (int a = 0; a < dim; ++a)
                for (int b = 0; b < dim; ++b)
                  {
                    const double term =
                      jxw * point.k(symmetric_entry(dim, a, b)) *
                      point.solution.gradient[0][b] * shape[i].gradient[0][a];
                    expected[dofs[i]] += term;
                    scale[dofs[i]] += std::abs(term);
                  }
          });
        const auto &list = problem.lists[problem.regions[cell]];
        double p[Model::n_parameters];
        std::copy(list.begin(), list.end(), p);
        const double y[2] = {
          phi, expected_recovery<Model>(
                 problem, phi,
                 problem.difference.former * problem.states[cell] +
                   problem.difference.earlier *
                     problem.states[space.n_cells() + cell],
                 list)};
        CellRates<double, 2> rates;
        Model::rates(y, p, stimulus, rates);
        const double rate = (phi - history) / problem.difference.tau;
        for (int i = 0; i < n; ++i)
          {
            expected[dofs[i]] += volume / n * (rate - rates.derivative[0]);
            scale[dofs[i]] +=
              volume / n * (std::abs(rate) + std::abs(rates.derivative[0]));
          }
      }
    // Difference quotients find recoveries to nine digits.
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], expected[i], 1e-8 * scale[i]) << i;
  }

  /// r(u + h w) - r(u) - h J w falls with h^2 if J, with all that depends on
  /// the recovery, is the derivative, in every way to store it.
  void
  expect_tangent(const std::string &name, Problem problem)
  {
    const Space &space = *problem.space;
    const auto u       = random_potential(problem.model, space, 1);
    auto w             = random_values<double>(space.n_local(), 2);
    const double size  = problem.model.name == "fitzhugh_nagumo" ? 1.
                         : problem.model.n_gates > 0             ? 50.
                                                                 : 100.;
    for (double &value : w)
      value *= size;
    w.back()         = 0;
    const auto start = problem.residual(u);
    const auto A     = make_operator<double>(
      name, problem.cells,
      std::shared_ptr<const FormData<double>>(problem.form));
    auto y = A->make_vector();
    A->vmult(y, on_backend(*problem.cells, w));
    const auto slope = owned_values(y);
    const auto other = owned_values(on_backend(*problem.cells, u));
    A->vmult(y, on_backend(*problem.cells, u));
    // It is symmetric.
    auto of_w = w;
    of_w.resize(slope.size());
    EXPECT_NEAR(dot(other, slope), dot(of_w, owned_values(y)),
                1e-13 * norm(other) * norm(slope));
    const auto remainder = [&](const double h) {
      auto moved = u;
      for (std::size_t i = 0; i < moved.size(); ++i)
        moved[i] += h * w[i];
      auto rest = problem.residual(moved, true);
      for (std::size_t i = 0; i < rest.size(); ++i)
        rest[i] -= start[i] + h * slope[i];
      return norm(rest);
    };
    const double coarse = remainder(4e-3), fine = remainder(2e-3);
    EXPECT_GT(coarse, 1e-9 * norm(start));
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
  }

} // namespace

TEST(PointMembraneTest, DifferencesAreExactForPolynomials)
{
  const double step = 0.3, former = 0.5;
  for (const int order : {1, 2})
    {
      const auto d = BackwardDifference::of_order(order, step, former);
      for (int power = 0; power <= order; ++power)
        {
          const auto y = [&](const double t) { return std::pow(t, power); };
          const double slope =
            (y(1) - d.former * y(1 - step) - d.earlier * y(1 - step - former)) /
            d.tau;
          EXPECT_NEAR(slope, power, 1e-14) << order;
        }
    }
}

TEST(PointMembraneTest, RecoveriesSolveTheirEquations)
{
  for (const CellType type : cell_types)
    for (const Backend backend : backends())
      for (const int degree : {1, 2})
        {
          if (degree == 2 && left_out(static_cast<int>(type), 4))
            continue;
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree) +
                       ", " + to_string(backend));
          const auto space = small_space(type, degree);
          Problem aliev("aliev_panfilov", space, backend, degree);
          expect_recoveries<AlievPanfilov>(aliev);
          Problem nagumo("fitzhugh_nagumo", space, backend, 3 - degree);
          expect_recoveries<FitzhughNagumo>(nagumo);
        }
}

TEST(PointMembraneTest, StatesFollowThePotential)
{
  int turn = 0;
  for (const CellType type : cell_types)
    for (const Backend backend : backends())
      for (const int order : {1, 2})
        {
          if (left_out(++turn, 5))
            continue;
          SCOPED_TRACE(to_string(type) + ", order " + std::to_string(order) +
                       ", " + to_string(backend));
          const auto space = small_space(type, 1);
          Problem panfilov("ten_tusscher_panfilov", space, backend, order);
          expect_followers<TenTusscherPanfilov>(panfilov);
          Problem rudy("ohara_rudy", space, backend, order);
          expect_followers<OharaRudy>(rudy);
        }
}

TEST(PointMembraneTest, OnePointIsEnough)
{
  for (const CellType type : {CellType::triangle, CellType::tetrahedron})
    for (const Backend backend : backends())
      {
        SCOPED_TRACE(to_string(type) + ", " + to_string(backend));
        const auto space = small_space(type, 1);
        Problem aliev("aliev_panfilov", space, backend, 2,
                      Integration::reduced);
        const Problem full("aliev_panfilov", space, backend, 2);
        EXPECT_LT(aliev.points->bytes(), full.points->bytes());
        expect_reduced_residual<AlievPanfilov>(aliev);
        Problem nagumo("fitzhugh_nagumo", space, backend, 1,
                       Integration::reduced);
        expect_reduced_residual<FitzhughNagumo>(nagumo);
      }
}

TEST(PointMembraneTest, TangentIsTheDerivative)
{
  int turn = 0;
  for (const CellType type : cell_types)
    for (const Backend backend : backends())
      for (const std::string name :
           {"csr", "ell", "sell", "matrix_free", "local_matrices"})
        {
          if (left_out(++turn, 6))
            continue;
          SCOPED_TRACE(to_string(type) + ", " + to_string(backend) + ", " +
                       name);
          const auto space        = small_space(type, 1);
          const std::size_t n     = n_watched_turns(turn, 6);
          const std::string model = cell_model_names()[n % 4];
          const int order         = 1 + n / 4 % 2;
          expect_tangent(name, {model, space, backend, order});
          if (PointMembrane<double>::can_reduce(*space))
            expect_tangent(
              name, {model, space, backend, order, Integration::reduced});
        }
}

TEST(PointMembraneTest, WhatHasNoSolutionIsNotANumber)
{
  for (const Backend backend : backends())
    {
      Problem problem("aliev_panfilov", small_space(CellType::quadrilateral, 1),
                      backend, 1);
      auto u       = problem.former;
      u[3]         = std::nan("");
      const auto r = problem.residual(u);
      EXPECT_TRUE(std::isnan(norm(r)));
      // A call that failed leaves nothing behind.
      EXPECT_TRUE(std::isfinite(norm(problem.residual(problem.former))));
    }
}

TEST(PointMembraneTest, RefusesWhatDoesNotFit)
{
  const auto space = small_space(CellType::triangle, 1);
  const auto cells =
    std::make_shared<const CellData<double>>(space, Backend::host);
  const std::vector<unsigned char> regions(space->n_cells(), 0);
  auto form = std::make_shared<FormData<double>>(
    reaction_diffusion(
      PointMembrane<double>::coefficient(Coefficient::scalar(1), *space)),
    *cells);
  const auto make = [&](const std::string &name,
                        const std::vector<unsigned char> &of_cells) {
    const CellModel model = cell_model(name);
    PointMembrane<double>(model, cells, of_cells, {model.values("", {})}, form);
  };
  EXPECT_THROW(make("aliev_panfilov", {0, 0}), std::length_error);
  auto beyond   = regions;
  beyond.back() = 1;
  EXPECT_THROW(make("aliev_panfilov", beyond), std::length_error);
  for (const auto &other : {small_space(CellType::triangle, 2),
                            small_space(CellType::quadrilateral, 1)})
    EXPECT_THROW(PointMembrane<double>::coefficient(
                   Coefficient::scalar(1), *other, Integration::reduced),
                 std::length_error);
  Problem problem("aliev_panfilov", space, Backend::host, 1);
  EXPECT_THROW(problem.points->set_states({0.5}), std::length_error);
  form = std::make_shared<FormData<double>>(
    reaction_diffusion(
      Coefficient{Coefficient::Kind::uniform, 4, {1, 0, 1, 0}}),
    *cells);
  EXPECT_THROW(make("aliev_panfilov", regions), std::length_error);
}
