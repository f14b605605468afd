#pragma once

#include "all_models.h"
#include "cell_models/point_membrane.h"
#include <tessera/assembly/load_vector.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/operators/factory.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <string>

#include "operators/cases.h"

// Tests of PointMembrane share these points, with all that they read.
namespace tessera::test
{
  /// Returns a whole vector, with zero for padding and otherwise values in
  /// which the models move. Those with gates have rates that jump at -40 mV.
  inline std::vector<double>
  random_potential(const CellModel &model, const Space &space,
                   const unsigned int seed)
  {
    auto values = random_values<double>(space.n_local(), seed);
    for (double &value : values)
      value = model.name == "fitzhugh_nagumo" ? 0.5 + 0.6 * value
              : model.n_gates > 0             ? -10. + 25. * value
                                              : -30. + 50. * value;
    values.back() = 0;
    return values;
  }

  inline Vector<double>
  on_backend(const CellData<double> &cells, const std::vector<double> &values)
  {
    Vector<double> vector = cells.make_vector();
    vector.copy_from(values);
    return vector;
  }

  inline double
  norm(const std::vector<double> &values)
  {
    double sum = 0;
    for (const double value : values)
      sum += value * value;
    return std::sqrt(sum);
  }

  /// Returns steps in which the states of a model move and are stable.
  inline BackwardDifference
  difference_of(const CellModel &model, const int order)
  {
    const double step = model.n_gates > 0                 ? 0.02
                        : model.name == "fitzhugh_nagumo" ? 0.05
                                                          : 0.4;
    return BackwardDifference::of_order(order, step, 0.7 * step);
  }

  /// Points with two regions, earlier potentials, a stimulus and random states
  /// on the cells of a space.
  struct Problem
  {
    Problem(const std::string &name, std::shared_ptr<const Space> space,
            const Backend backend, const int order,
            const Integration integration                = Integration::full,
            const std::map<std::string, double> &changes = {})
      : model(cell_model(name)), space(space),
        cells(std::make_shared<const CellData<double>>(space, backend)),
        lists({model.values("", changes), model.values("", changes)}),
        difference(difference_of(model, order)),
        D(varying(*space, Coefficient::Kind::per_quadrature_point)),
        n_points(
          integration == Integration::reduced ? 1 : space->points_per_cell()),
        former(random_potential(model, *space, 4)),
        earlier(random_potential(model, *space, 7)),
        currents(random_values<double>(space->n_owned, 5)),
        stimulus(backend, currents)
    {
      for (double &value : lists[1])
        value *= 1.05;
      regions.resize(space->n_cells());
      for (std::size_t i = 0; i < regions.size(); ++i)
        regions[i] = i % 3 == 1;
      form = std::make_shared<FormData<double>>(
        reaction_diffusion(
          PointMembrane<double>::coefficient(D, *space, integration)),
        *cells);
      points = std::make_unique<PointMembrane<double>>(model, cells, regions,
                                                       lists, form);
      const std::size_t n = std::size_t(space->n_cells()) * n_points;
      states              = random_values<double>(points->n_fields() * n, 6);
      for (std::size_t i = 0; i < states.size(); ++i)
        if (PointMembrane<double>::solves_for_recovery(model))
          states[i] = 0.5 + 0.4 * states[i];
        else
          states[i] = model.states[1 + i / n].value * (1 + 0.1 * states[i]);
      points->set_states(states);
    }

    void
    linearize(const Vector<double> &potential, const bool again = false)
    {
      points->linearize(potential, on_backend(*cells, former),
                        on_backend(*cells, earlier), stimulus.data(),
                        difference, again);
    }

    /// Returns the residual a(u, v) - int s v, linearised at u.
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
    Coefficient D;
    int n_points;
    std::vector<double> former, earlier, currents;
    Array<double> stimulus;
    std::vector<unsigned char> regions;
    std::vector<double> states;
    std::unique_ptr<PointMembrane<double>> points;
    std::shared_ptr<FormData<double>> form;
  };

  inline std::shared_ptr<const Space>
  small_space(const CellType type, const int degree)
  {
    const bool flat = dimension(type) == 2;
    return std::make_shared<const Space>(build_space(generated_mesh(
      type, degree, flat ? 5 : 3, flat ? 4 : 2, 2, /*dirichlet*/ false)));
  }

  /// Solves for the recovery at one point by Newton's method with plain numbers
  /// and difference quotients.
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

  inline double
  dot(const std::vector<double> &x, const std::vector<double> &y)
  {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.);
  }
} // namespace tessera::test
