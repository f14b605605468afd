#include "cell_models/membrane.h"
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/preconditioners/jacobi.h>
#include <tessera/solvers/cg.h>

#include "point_membrane.h"

using namespace tessera;
using namespace tessera::test;

namespace
{
  /// Returns the solution x of A x = r.
  std::vector<double>
  solved(const Operator<double> &A, const std::vector<double> &r)
  {
    const Jacobi<double> jacobi(A);
    CG<double> cg(A, jacobi);
    auto x = A.make_vector();
    CGControl control;
    control.relative_tolerance = 1e-14;
    EXPECT_TRUE(cg.solve(x, make_vector(A, r), control).converged);
    return owned_values(x);
  }


  /// Without reactions a step of backward Euler keeps the integral of the
  /// potential, and from u to v its energy changes by
  ///   v M v / 2 - u M u / 2 = - tau v K v - (v - u) M (v - u) / 2.
  void
  expect_energy(Problem problem)
  {
    const std::shared_ptr<const FormData<double>> form = problem.form;
    const double tau                                   = problem.difference.tau;
    problem.stimulus.zero();
    problem.former = random_potential(problem.model, *problem.space, 1);
    const auto K   = make_operator<double>("csr", problem.cells, form);
    problem.points->set_without_reactions(tau);
    const auto A       = make_operator<double>("csr", problem.cells, form);
    const auto product = [](const Operator<double> &of,
                            const std::vector<double> &x) {
      auto y = of.make_vector();
      of.vmult(y, make_vector(of, x));
      return owned_values(y);
    };
    std::vector<double> u = problem.former, v = u;
    u.resize(problem.space->n_owned);
    const auto r          = problem.residual(problem.former);
    const auto correction = solved(*A, r);
    for (std::size_t i = 0; i < u.size(); ++i)
      v[i] -= correction[i];
    EXPECT_LT(norm(problem.residual(v, true)), 1e-12 * norm(r));

    v.resize(u.size());
    const auto mass = [&](const std::vector<double> &values) {
      auto y       = product(*A, values);
      const auto k = product(*K, values);
      for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = tau * (y[i] - k[i]);
      return y;
    };
    const auto moved = mass(correction);
    double integral = 0, magnitude = 0;
    for (const double value : moved)
      {
        integral += value;
        magnitude += std::abs(value);
      }
    EXPECT_NEAR(integral, 0, 1e-12 * magnitude);
    const double before = dot(u, mass(u)) / 2, after = dot(v, mass(v)) / 2;
    EXPECT_LT(after, 0.99 * before);
    EXPECT_NEAR(after + tau * dot(v, product(*K, v)) +
                  dot(correction, moved) / 2,
                before, 1e-12 * before);
  }

  /// The potential of a cell after some time from initial states with another
  /// potential, by 8000 steps of order 2.
  double
  potential_of_a_cell(const CellModel &model, const double start,
                      const double time)
  {
    Membrane<double> membrane(model, Backend::host, {0},
                              {model.values("", {})});
    Vector<double> potential(Backend::host, 1, 0);
    potential.copy_from(std::vector<double>{start});
    membrane.advance(potential, nullptr, time, 8000, 2);
    return potential.to_vector()[0];
  }

  /// The same by implicit steps on a mesh whose potential phi is the same at
  /// all nodes: Newton's method for c phi = s.
  double
  uniform_potential(const CellModel &model, const Backend backend,
                    const int order, const double start, const double time,
                    const int n)
  {
    Problem problem(model.name,
                    std::make_shared<const Space>(build_space(generated_mesh(
                      CellType::triangle, 1, 1, 1, 1, /*dirichlet*/ false))),
                    backend, order);
    const auto &cells = *problem.cells;
    PointMembrane<double> points(
      model, problem.cells,
      std::vector<unsigned char>(problem.space->n_cells(), 0),
      {model.values("", {})}, problem.form);
    const auto uniform = [&](const double value) {
      std::vector<double> values(problem.space->n_local(), value);
      values.back() = 0;
      return on_backend(cells, values);
    };
    const auto sum = [](const Vector<double> &x) {
      const auto values = owned_values(x);
      return std::accumulate(values.begin(), values.end(), 0.);
    };
    double phi = start, past[2] = {start, start};
    for (int k = 0; k < n; ++k)
      {
        const auto difference =
          BackwardDifference::of_order(k == 0 ? 1 : order, time / n, time / n);
        for (int newton = 0; newton < 3; ++newton)
          {
            const auto potential = uniform(phi);
            points.linearize(potential, uniform(past[0]), uniform(past[1]),
                             nullptr, difference, newton > 0);
            auto s = cells.make_vector(), c_phi = cells.make_vector();
            add_load_vector(s, cells, points.source(), Conflict::coloring);
            problem.form->set_solution(potential);
            problem.form->add_residual(c_phi, Conflict::coloring);
            phi *= sum(s) / sum(c_phi);
          }
        points.accept();
        past[1] = past[0];
        past[0] = phi;
      }
    return phi;
  }
} // namespace

TEST(PointMembraneSteps, EnergyDecaysAndTheIntegralStays)
{
  const std::map<std::string, double> idle = {{"k", 0.}, {"c", 0.}};
  for (const CellType type : cell_types)
    for (const Backend backend : backends())
      {
        SCOPED_TRACE(to_string(type) + ", " + to_string(backend));
        const auto space = small_space(type, 1);
        expect_energy(
          {"fitzhugh_nagumo", space, backend, 1, Integration::full, idle});
        if (PointMembrane<double>::can_reduce(*space))
          expect_energy(
            {"fitzhugh_nagumo", space, backend, 1, Integration::reduced, idle});
      }
}

// Where the potential is the same everywhere, a step is one of the equations of
// a cell.
TEST(PointMembraneSteps, StatesConvergeWithTheOrderOfTheDifference)
{
  int turn = 0;
  for (const Backend backend : backends())
    for (const std::string name :
         {"aliev_panfilov", "ten_tusscher_panfilov", "ohara_rudy"})
      {
        SCOPED_TRACE(to_string(backend) + ", " + name);
        const CellModel model = cell_model(name);
        const double start    = name == "aliev_panfilov" ? -50. : -40.;
        const double expected = potential_of_a_cell(model, start, 2.);
        for (const int order : {1, 2})
          {
            const auto error = [&](const int n) {
              return std::abs(
                uniform_potential(model, backend, order, start, 2., n) -
                expected);
            };
            if (left_out(++turn, 3))
              continue;
            const double coarse = error(80), fine = error(160);
            EXPECT_LT(coarse, 4.) << order;
            EXPECT_NEAR(std::log2(coarse / fine), order, 0.25) << order;
          }
      }
}

// Matrices are made once and assembled again in every step of Newton's method.
TEST(PointMembraneSteps, NewtonConvergesQuadratically)
{
  for (const Backend backend : backends())
    for (const std::string name : {"csr", "ell", "sell", "matrix_free"})
      {
        if (is_watched() && name == "ell")
          continue;
        SCOPED_TRACE(to_string(backend) + ", " + name);
        Problem problem(
          "aliev_panfilov", small_space(CellType::tetrahedron, 1), backend, 1,
          name == "sell" ? Integration::reduced : Integration::full);
        problem.difference = BackwardDifference::of_order(1, 2.);
        auto u             = problem.former;
        std::vector<double> norms;
        std::unique_ptr<Operator<double>> A;
        for (int k = 0; k < 12; ++k)
          {
            const auto r = problem.residual(u, k > 0);
            norms.push_back(norm(r));
            if (norms.back() < 1e-12 * norms.front())
              break;
            if (A)
              A->update(problem.form);
            else
              A = make_operator<double>(
                name, problem.cells,
                std::shared_ptr<const FormData<double>>(problem.form));
            const auto correction = solved(*A, r);
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
