#include "results.h"

#include "heat_flux.h"
#include <tessera/fem/driver/report.h>
#include <tessera/fem/fields/flux.h>
#include <tessera/fem/fields/flux_scales.h>
#include <tessera/fem/fields/integrals.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <deque>

using namespace tessera;

namespace
{
  /// Returns the names that a mesh gives an id.
  std::string
  names_of(const GroupNames &names, const unsigned int id)
  {
    std::string result;
    for (const auto &[name, named] : names)
      if (named.count(id) > 0)
        result += (result.empty() ? "" : ", ") + name;
    return result;
  }

  /// Returns the id and its names, as tables have them.
  std::string
  label(const GroupNames &names, const unsigned int id)
  {
    const std::string also = names_of(names, id);
    return std::to_string(id) + (also.empty() ? "" : " (" + also + ')');
  }

  std::string
  between(const GroupNames &names, const MaterialPair &ids)
  {
    return "between materials " + label(names, ids.first) + " and " +
           label(names, ids.second);
  }

  /// Makes a Robin condition a Dirichlet one for fluxes if it is a penalty,
  /// whose alpha is more than a hundred times kappa / h: rounding of alpha u
  /// would hide the flux.
  template <int dim>
  void
  replace_penalties(FluxProblem<dim> &problem, BoundaryFaces &faces,
                    const FluxScales &scales)
  {
    const std::size_t nq = n_points(faces.face_type, faces.degree);
    for (const auto &[id, scale] : scales.boundaries)
      if (scale.exchanged > 100 * scale.conducted && !faces.mass.empty())
        problem.dirichlet.insert(id);
    for (int face = 0; face < faces.n_faces(); ++face)
      if (problem.dirichlet.count(faces.boundary_ids[face]) > 0)
        {
          std::fill_n(&faces.load[face * nq], nq, 0.);
          std::fill_n(&faces.mass[face * nq], nq, 0.);
        }
  }

  /// Fluxes and sources have the sum 0.
  template <int dim>
  void
  check_fluxes(Discretization<dim> &d, const FluxProblem<dim> &problem,
               const FluxScales &scales, const std::vector<double> &at_nodes)
  {
    double sum = scales.sources, magnitude = scales.magnitude;
    for (const double value : at_nodes)
      {
        sum += value;
        magnitude += std::abs(value);
      }
    for (const program::Flux &flux : d.entry.results.fluxes)
      {
        sum += flux.value;
        magnitude += std::abs(flux.value);
      }
    for (const auto &[id, scale] : scales.boundaries)
      magnitude += scale.through;
    check_balance(
      d, "The fluxes and sources", sum, magnitude,
      std::max(magnitude, scales.given), scales.given, [&]() {
        double result = 0;
        for (const auto &[id, scale] : scales.boundaries)
          result += scale.conducted +
                    (problem.dirichlet.count(id) > 0 ? 0. : scale.exchanged);
        return result;
      });
  }
} // namespace


template <int dim>
void
Results<dim>::declare(Parameters &parameters)
{
  const Patterns::Bool flag;
  parameters.declare("Output/Fluxes", "true", flag,
                     "whether the integral of (kappa grad u) . n over each "
                     "boundary is computed");
  parameters.declare("Output/Gradients", "true", flag,
                     "whether .vtu files have the fields gradient, grad u, and "
                     "flux, kappa grad u, as they are in each cell");
  parameters.declare("Output/Integrals", "false", flag,
                     "whether the energy and the integrals and means of u over "
                     "materials, boundaries and the surfaces between materials "
                     "are computed, and the fluxes through these surfaces");
}


template <int dim>
Results<dim>::Results(const Equation<dim> &equation,
                      const Parameters &parameters)
  : equation(equation), fluxes(parameters.get_bool("Output/Fluxes")),
    gradients(parameters.get_bool("Output/Gradients")),
    integrals(parameters.get_bool("Output/Integrals"))
{}


template <int dim>
void
Results<dim>::evaluate(Discretization<dim> &d, const Data &data,
                       const dealii::Vector<double> &u,
                       const std::vector<double> &rate) const
{
  if (fluxes || integrals)
    add_fluxes(d, data, u, rate);
  if (integrals)
    add_integrals(d, data, u);
  if (gradients && d.parameters.get_bool("Output/VTU"))
    d.fields.derived.push_back(flux_fields(equation.kappa, d.mesh()));
}


template <int dim>
void
Results<dim>::add_fluxes(Discretization<dim> &d, const Data &data,
                         const dealii::Vector<double> &u,
                         const std::vector<double> &rate) const
{
  const auto expressions = equation.kappa.expressions_of_cells(d.mesh());
  BoundaryFaces faces    = d.own_faces(data.faces);
  // One for each thread.
  std::deque<typename MaterialExpression<dim>::Evaluator> kappa;
  for (int thread = 0; thread < omp_get_max_threads(); ++thread)
    kappa.emplace_back(equation.kappa);
  FluxProblem<dim> problem{
    d.cells(),
    u,
    *d.space,
    data.kappa,
    data.source,
    faces,
    equation.boundary.dirichlet_boundaries(d.mesh()),
    [&](const std::size_t cell, const dealii::Point<dim> &p) {
      return (equation.weight ? equation.weight(p) : 1.) *
             kappa[omp_get_thread_num()].tensor(expressions[cell], p);
    }};
  problem.hangs = d.hangs;
  std::vector<std::string> holders;
  if (equation.boundary.holds_nodes(d.mesh()))
    {
      d.collectively([&]() {
        holders =
          equation.boundary.holders(d.mesh(), d.cells(), problem.holder);
      });
      problem.n_holders = static_cast<int>(holders.size());
    }
  if (data.reacts())
    problem.masses.push_back({data.reaction, u});
  if (!rate.empty())
    problem.masses.push_back(
      {data.capacity, dealii::Vector<double>(rate.begin(), rate.end())});
  const FluxScales scales = flux_scales(problem);
  replace_penalties(problem, faces, scales);
  if (fluxes)
    {
      std::vector<double> at_nodes;
      for (const auto &[id, value] : boundary_fluxes(problem, &at_nodes))
        d.entry.results.fluxes.push_back(
          {id, names_of(d.mesh().boundary_names, id), value});
      // It is 0 to the last bit for conditions on boundaries alone.
      for (std::size_t k = 0; k < at_nodes.size(); ++k)
        if (at_nodes[k] != 0)
          d.entry.results.quantities.push_back(
            {"flux at nodes of " + holders[k], at_nodes[k], {}});
      // Other schemes have another rate than a step.
      if (rate.empty() || equation.time->theta == 1)
        check_fluxes(d, problem, scales, at_nodes);
    }
  if (integrals)
    for (const auto &[ids, value] : interface_fluxes(problem))
      d.entry.results.quantities.push_back(
        {"flux " + between(d.mesh().material_names, ids), value});
}


template <int dim>
void
Results<dim>::add_integrals(Discretization<dim> &d, const Data &data,
                            const dealii::Vector<double> &u) const
{
  std::vector<double> energy{0.5 * (u * d.product(data.form(*d.space), u))};
  sum_up(d.division, energy);
  const SolutionIntegrals sums =
    integrate_solution<dim>({d.cells(), u, *d.space, equation.weight});
  auto &quantities = d.entry.results.quantities;
  quantities.push_back({"energy", energy[0]});
  const auto add = [&](const std::string &where, const Integral &integral) {
    if (integral.measure == 0) // on the axis of a solid of revolution
      return;
    quantities.push_back({"integral of u " + where, integral.of_u});
    quantities.push_back({"mean of u " + where, integral.mean()});
  };
  const auto &materials = d.mesh().material_names;
  for (const auto &[id, integral] : sums.materials)
    add("in material " + label(materials, id), integral);
  for (const auto &[id, integral] : sums.boundaries)
    add("on boundary " + label(d.mesh().boundary_names, id), integral);
  for (const auto &[ids, integral] : sums.interfaces)
    add(between(materials, ids), integral);
}


template class Results<2>;
template class Results<3>;
