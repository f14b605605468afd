#include <tessera/assembly/load_vector.h>
#include <tessera/assembly/point_membrane.h>
#include <tessera/base/error.h>
#include <tessera/cell_models/all_models.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/operators/assembler.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>

#include <cmath>

#include "../form_oracle.h"
#include "../operators/cases.h"

using namespace tessera;
using namespace tessera::test;

namespace
{
  /// Whole vectors with zero for padding, and values in which the models move.
  std::vector<double>
  random_potential(const CellModel &model, const Space &space,
                   const unsigned int seed)
  {
    auto values = random_values<double>(space.n_local(), seed);
    for (double &value : values)
      value = model.name == "fitzhugh_nagumo" ? 0.5 + 0.6 * value
                                              : -30. + 50. * value;
    values.back() = 0;
    return values;
  }

  Vector<double>
  on_backend(const CellData<double> &cells, const std::vector<double> &values)
  {
    Vector<double> vector = cells.make_vector();
    vector.copy_from(values);
    return vector;
  }

  double
  norm(const std::vector<double> &values)
  {
    double sum = 0;
    for (const double value : values)
      sum += value * value;
    return std::sqrt(sum);
  }

  /// Points with two regions, a history, a stimulus and random recoveries on
  /// the cells of a space.
  struct Problem
  {
    Problem(const std::string &name, std::shared_ptr<const Space> space,
            const Backend backend, const int order)
      : model(cell_model(name)), space(space),
        cells(std::make_shared<const CellData<double>>(space, backend)),
        lists({model.values("", {}), model.values("", {})}),
        difference(BackwardDifference::of_order(
          order, name[0] == 'f' ? 0.05 : 0.4, name[0] == 'f' ? 0.03 : 0.3)),
        history(random_potential(model, *space, 4)),
        currents(random_values<double>(space->n_owned, 5)),
        stimulus(backend, currents)
    {
      for (double &value : lists[1])
        value *= 1.05;
      regions.resize(space->n_cells());
      for (std::size_t i = 0; i < regions.size(); ++i)
        regions[i] = i % 3 == 1;
      form = std::make_shared<FormData<double>>(
        reaction_diffusion(PointMembrane<double>::coefficient(
          anisotropic(space->dim()), *space)),
        *cells);
      points = std::make_unique<PointMembrane<double>>(model, cells, regions,
                                                       lists, form);
      states = random_values<double>(
        2 * std::size_t(space->n_cells()) * space->points_per_cell(), 6);
      for (double &state : states)
        state = 0.5 + 0.4 * state;
      points->set_states(states);
    }

    void
    linearize(const Vector<double> &potential, const bool again = false)
    {
      points->linearize(potential, on_backend(*cells, history), stimulus.data(),
                        difference, again);
    }

    /// The residual a(u, v) - int s v, linearised at u.
    std::vector<double>
    residual(const std::vector<double> &u, const bool again = false)
    {
      const auto potential = on_backend(*cells, u);
      linearize(potential, again);
      auto load = cells->make_vector(), r = cells->make_vector();
      add_load_vector(load, *cells, points->source(), Conflict::coloring);
      form->set_solution(potential);
      form->add_residual(r, Conflict::coloring);
      auto result      = owned_values(r);
      const auto loads = owned_values(load);
      for (std::size_t i = 0; i < result.size(); ++i)
        result[i] -= loads[i];
      return result;
    }

    CellModel model;
    std::shared_ptr<const Space> space;
    std::shared_ptr<const CellData<double>> cells;
    std::vector<std::vector<double>> lists;
    BackwardDifference difference;
    std::vector<double> history, currents;
    Array<double> stimulus;
    std::vector<unsigned char> regions;
    std::vector<double> states;
    std::unique_ptr<PointMembrane<double>> points;
    std::shared_ptr<FormData<double>> form;
  };

  std::shared_ptr<const Space>
  small_space(const CellType type, const int degree)
  {
    const bool flat = dimension(type) == 2;
    return std::make_shared<const Space>(build_space(generated_mesh(
      type, degree, flat ? 5 : 3, flat ? 4 : 2, 2, /*dirichlet*/ false)));
  }

  /// Newton's method at one point by plain numbers and difference quotients.
  template <class Model>
  double
  expected_recovery(const Problem &problem, const double phi,
                    const double history, const std::vector<double> &list)
  {
    double p[Model::n_parameters], r = history;
    std::copy(list.begin(), list.end(), p);
    const auto defect = [&](const double at) {
      const double y[2] = {phi, at};
      CellRates<double, 2> rates;
      Model::rates(y, p, 0., rates);
      return at - history - problem.difference.tau * rates.derivative[1];
    };
    for (int k = 0; k < 50; ++k)
      r -= defect(r) * 2e-6 / (defect(r + 1e-6) - defect(r - 1e-6));
    return r;
  }

  template <class Model>
  void
  expect_recoveries(Problem &problem)
  {
    const auto u = random_potential(problem.model, *problem.space, 1);
    problem.linearize(on_backend(*problem.cells, u));
    problem.points->accept();
    const auto after = problem.points->states();
    const int n_q    = problem.space->points_per_cell();
    FormOracle oracle(*problem.space, 1, Coefficient::scalar(1), {});
    oracle.solution = u;
    for (int cell = 0; cell < problem.space->n_cells(); ++cell)
      oracle.for_each_point(
        cell, [&](const PointAt &point, double, const auto &) {
          const std::size_t i = std::size_t(cell) * n_q + point.q;
          const double history =
            problem.difference.before * problem.states[i] +
            problem.difference.earlier * problem.states[after.size() / 2 + i];
          const double expected =
            expected_recovery<Model>(problem, point.solution.value[0], history,
                                     problem.lists[problem.regions[cell]]);
          ASSERT_NEAR(after[i], expected, 1e-9 * (1 + std::abs(expected)));
          ASSERT_EQ(after[after.size() / 2 + i], problem.states[i]);
        });
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
            (y(1) - d.before * y(1 - step) - d.earlier * y(1 - step - former)) /
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
          if (is_watched() && degree == 2 && type != CellType::tetrahedron)
            continue;
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree) +
                       ", " + to_string(backend));
          const auto space = small_space(type, degree);
          Problem aliev("aliev_panfilov", space, backend, degree);
          expect_recoveries<AlievPanfilov>(aliev);
          Problem nagumo("fitzhugh_nagumo", space, backend, 3 - degree);
          expect_recoveries<FitzHughNagumo>(nagumo);
        }
}

// r(u + h w) - r(u) - h J w falls with h^2 if J, with all that depends on the
// recovery, is the derivative, in every way to store it.
TEST(PointMembraneTest, TangentIsTheDerivative)
{
  int turn = 0;
  for (const CellType type : cell_types)
    for (const Backend backend : backends())
      for (const std::string name :
           {"csr", "ell", "sell", "matrix_free", "local_matrices"})
        {
          if (is_watched() && left_out(turn++, 3))
            continue;
          SCOPED_TRACE(to_string(type) + ", " + to_string(backend) + ", " +
                       name);
          Problem problem(turn % 2 == 0 ? "fitzhugh_nagumo" : "aliev_panfilov",
                          small_space(type, 1), backend, 1 + turn % 2);
          const Space &space = *problem.space;
          const auto u       = random_potential(problem.model, space, 1);
          auto w             = random_values<double>(space.n_local(), 2);
          const double size =
            problem.model.name == "fitzhugh_nagumo" ? 1. : 100.;
          for (double &value : w)
            value *= size;
          w.back()         = 0;
          const auto start = problem.residual(u);
          const auto A     = make_operator<double>(
            name, problem.cells,
            std::shared_ptr<const FormData<double>>(problem.form));
          auto y = A->make_vector();
          A->vmult(y, on_backend(*problem.cells, w));
          const auto slope     = owned_values(y);
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
}

// With one operator whose values are written again and again, and CG.
TEST(PointMembraneTest, NewtonConvergesQuadratically)
{
  for (const Backend backend : backends())
    for (const std::string name : {"csr", "ell", "sell", "matrix_free"})
      {
        if (is_watched() && name == "ell")
          continue;
        SCOPED_TRACE(to_string(backend) + ", " + name);
        Problem problem("aliev_panfilov", small_space(CellType::tetrahedron, 1),
                        backend, 1);
        problem.difference = BackwardDifference::of_order(1, 2.);
        auto u             = problem.history;
        std::vector<double> norms;
        std::unique_ptr<Operator<double>> A;
        std::optional<Assembler<double>> assembler;
        for (int k = 0; k < 12; ++k)
          {
            const auto r = problem.residual(u, k > 0);
            norms.push_back(norm(r));
            if (norms.back() < 1e-12 * norms.front())
              break;
            if (name == "matrix_free")
              A = make_operator<double>(
                name, problem.cells,
                std::shared_ptr<const FormData<double>>(problem.form));
            else if (!A)
              A = assembler.emplace(name, problem.cells)
                    .make_operator(*problem.form);
            else
              assembler->assemble(dynamic_cast<RowOperator<double> &>(*A),
                                  *problem.form);
            const Jacobi<double> jacobi(*A);
            CG<double> cg(*A, jacobi);
            auto x = A->make_vector();
            CGControl control;
            control.relative_tolerance = 1e-13;
            ASSERT_TRUE(cg.solve(x, make_vector(*A, r), control).converged);
            const auto correction = owned_values(x);
            for (std::size_t i = 0; i < correction.size(); ++i)
              u[i] -= correction[i];
          }
        ASSERT_GE(norms.size(), 5U);
        ASSERT_LT(norms.back(), 1e-11 * norms.front());
        // While rounding does not disturb, residuals are squared.
        int squared = 0;
        for (std::size_t k = 1; k + 1 < norms.size(); ++k)
          if (norms[k] < 0.1 * norms.front() &&
              norms[k + 1] > 1e-11 * norms.front())
            {
              ++squared;
              EXPECT_LT(norms[k + 1] / norms.front(),
                        100 * std::pow(norms[k] / norms.front(), 2));
            }
        EXPECT_GE(squared, 2);
      }
}

TEST(PointMembraneTest, WhatHasNoSolutionIsNotANumber)
{
  for (const Backend backend : backends())
    {
      Problem problem("aliev_panfilov", small_space(CellType::quadrilateral, 1),
                      backend, 1);
      auto u       = problem.history;
      u[3]         = std::nan("");
      const auto r = problem.residual(u);
      EXPECT_TRUE(std::isnan(norm(r)));
      // And what fails leaves nothing behind.
      EXPECT_TRUE(std::isfinite(norm(problem.residual(problem.history))));
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
  EXPECT_THROW(make("ten_tusscher_panfilov", regions), ParameterError);
  EXPECT_THROW(make("aliev_panfilov", {0, 0}), std::length_error);
  auto beyond   = regions;
  beyond.back() = 1;
  EXPECT_THROW(make("aliev_panfilov", beyond), std::length_error);
  Problem problem("aliev_panfilov", space, Backend::host, 1);
  EXPECT_THROW(problem.points->set_states({0.5}), std::length_error);
  form = std::make_shared<FormData<double>>(
    reaction_diffusion(
      Coefficient{Coefficient::Kind::uniform, 4, {1, 0, 1, 0}}),
    *cells);
  EXPECT_THROW(make("aliev_panfilov", regions), std::length_error);
}
