#include "equation.h"

#include "test.h"

#include <tessera/base/error.h>
#include <tessera/fem/fields/flux_scales.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>

// The device of a case evaluates its equation as the host does.
namespace
{
  using namespace tessera;
  using Entries = std::map<std::string, std::string>;

  struct Case
  {
    Case(const Entries &entries, const Backend backend)
    {
      declare_discretization(parameters, true);
      LinearSolver::declare(parameters);
      Equation<2>::declare(parameters);
      parameters.declare("Output/VTU", "false", Patterns::Bool(), "");
      parameters.set("Mesh/Initial refinement", "3");
      parameters.set("Mesh/Distortion", "0.15");
      parameters.set("Boundary conditions/Dirichlet 1/Boundaries", "0");
      for (const auto &[path, value] : entries)
        parameters.set(path, value);
      solver.emplace(parameters);
      equation.emplace(parameters);
      d.emplace(parameters, *solver);
      d->backend              = backend;
      d->entry.problem.degree = 2;
      make_mesh(d->mesh(), parameters);
      equation->begin_time(0);
      data = discretize(*equation, *d);
    }

    Parameters parameters;
    std::optional<LinearSolver> solver;
    std::optional<Equation<2>> equation;
    std::optional<Discretization<2>> d;
    Data data;
  };

  void
  expect_same(const Coefficient &device, const Coefficient &host)
  {
    EXPECT_EQ(device.kind, host.kind);
    ASSERT_EQ(device.n_components, host.n_components);
    const auto found = on_host(device).values;
    ASSERT_EQ(found.size(), host.values.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], host.values[i], 1e-13) << i;
  }

  /// Compares the scales of fluxes, with terms c u and C u as if u were du/dt,
  /// and the fluxes.
  void
  expect_same_fluxes(const Case &device, const Case &host)
  {
    const auto &d = *host.d;
    dealii::Vector<double> u(d.cells().n_dofs());
    for (unsigned int i = 0; i < u.size(); ++i)
      u[i] = std::sin(1. + i);
    const MaterialExpression<2>::Evaluator kappa(host.equation->kappa);
    const auto problem = [&](const Case &of_case) {
      const Data &data = of_case.data;
      FluxProblem<2> result{
        d.cells(),
        u,
        *of_case.d->space,
        data.kappa,
        data.source,
        data.faces,
        host.equation->boundary.dirichlet_boundaries(d.mesh()),
        [&](std::size_t, const dealii::Point<2> &p) {
          return kappa.tensor(0, p);
        }};
      for (const Coefficient *const c : {&data.reaction, &data.capacity})
        if (is_given(*c))
          result.masses.push_back({*c, u});
      return result;
    };
    const FluxScales a = flux_scales(problem(device)),
                     b = flux_scales(problem(host));
    EXPECT_GT(b.magnitude, 0.1);
    EXPECT_NEAR(a.sources, b.sources, 1e-12);
    EXPECT_NEAR(a.magnitude, b.magnitude, 1e-12);
    EXPECT_NEAR(a.given, b.given, 1e-12);
    const auto found  = boundary_fluxes(problem(device));
    const auto should = boundary_fluxes(problem(host));
    ASSERT_EQ(found.size(), should.size());
    for (const auto &[id, value] : should)
      EXPECT_NEAR(found.at(id), value, 1e-11) << id;
  }

  const Entries stationary = {
    {"Coefficient/Expression", "2 + x; y / 9; 3"},
    {"Source/Function expression", "sin(9 * x) - y"},
    {"Reaction/Expression", "x^2"},
  };
  const Entries in_time = {
    {"Time/Scheme", "backward_euler"},
    {"Source/Function expression", "sin(9 * x) - y * t"},
    {"Reaction/Expression", "3"},
    {"Capacity/Expression", "1 + x * y"},
  };

  Entries
  on_axis(Entries entries)
  {
    entries["Coordinates/Kind"] = "axisymmetric";
    return entries;
  }
} // namespace


TEST(PoissonEquation, OfTheDeviceIsThatOfTheHost)
{
  for (const Backend backend : test::backends())
    for (const Entries &entries :
         {stationary, in_time, on_axis(stationary), on_axis(in_time)})
      {
        Case host(entries, Backend::host), device(entries, backend);
        for (const double t : {0., 0.7})
          {
            for (Case *const c : {&host, &device})
              {
                c->equation->set_time(t, t);
                set_loads(c->data, *c->equation, *c->d);
              }
            const Space &space = *host.d->space;
            const Data &a = device.data, &b = host.data;
            expect_same(a.kappa, b.kappa);
            expect_same(a.source, b.source);
            expect_same(a.reaction, b.reaction);
            if (host.equation->time)
              expect_same(a.capacity, b.capacity);
            expect_same(a.k_and_c(space), b.k_and_c(space));
            if (backend == Backend::cuda)
              {
                EXPECT_NE(a.source.packed, nullptr);
                EXPECT_NE(a.k_and_c(space).packed != nullptr,
                          b.k_and_c(space).kind == Coefficient::Kind::uniform);
              }
          }
        expect_same_fluxes(device, host);
      }
}


TEST(PoissonEquation, HasTheSentencesOfTheHost)
{
  const auto sentence = [](const Entries &entries, const Backend backend) {
    try
      {
        Case(entries, backend);
      }
    catch (const ParameterError &error)
      {
        return std::string(error.what());
      }
    return std::string();
  };
  Entries capacity                = in_time;
  capacity["Capacity/Expression"] = "x - 0.5";
  for (const Backend backend : test::backends())
    for (const Entries &entries :
         {Entries{{"Reaction/Expression", "x - 0.5"}}, capacity,
          on_axis({{"Reaction/Expression", "1 / (x - x)"}})})
      {
        const std::string expected = sentence(entries, Backend::host);
        EXPECT_NE(expected, "");
        EXPECT_EQ(sentence(entries, backend), expected);
      }
}
