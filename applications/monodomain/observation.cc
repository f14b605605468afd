#include "observation.h"

#include "activation_maps.h"
#include "mesh_values.h"
#include "tissue.h"

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/fem/fields/point_locator.h>
#include <tessera/fem/fields/sampling.h>
#include <tessera/fem/input/time_intervals.h>
#include <tessera/program/text.h>
#include <tessera/program/timing.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

using namespace tessera;

namespace
{
  const std::string output_section = "Output/";

  constexpr int n_samples = 1024;

  template <int dim>
  std::vector<dealii::Point<dim>>
  read_points(const Parameters &parameters, const std::string &name)
  {
    const std::string entry = output_section + name;
    std::vector<dealii::Point<dim>> result;
    for (const auto &point :
         dealii::Utilities::split_string_list(parameters.get(entry), ';'))
      result.push_back(read_point<dim>(point, entry));
    return result;
  }

  double
  read_threshold(const Parameters &parameters, const std::string &name,
                 const double of_model)
  {
    const std::string entry = output_section + name,
                      value = parameters.get(entry);
    if (value == "model")
      return of_model;
    const auto number = program::number(value);
    if (!number)
      throw ParameterError("'" + entry + "' is " + value +
                           "; legal are numbers and 'model'.");
    return *number;
  }

  /// Returns the first multiple of an interval behind a time.
  double
  next_time(const double interval, const double time)
  {
    return (std::floor(time / interval * (1 + 1e-12)) + 1) * interval;
  }

  /// Returns whether a time is reached, and moves it on if it is.
  bool
  reached(double &next, const double interval, const double time)
  {
    if (time < next * (1 - 1e-12))
      return false;
    next = next_time(interval, time);
    return true;
  }

  /// Returns what makes the share of this process, which is all of the value if
  /// there are no others, of the values at points of the values at its owned
  /// nodes. Throws ParameterError, which names the entry, for a point outside
  /// of the mesh. All processes call it together.
  template <int dim>
  std::vector<Traces<double>::Point>
  interpolation_at(const Discretization<dim> &d,
                   const std::vector<dealii::Point<dim>> &points)
  {
    std::vector<int> node_of(d.cells().n_dofs(), -1);
    for (int i = 0; i < d.space->n_owned; ++i)
      node_of[d.space->mesh_dof[i]] = i;
    std::vector<Traces<double>::Point> result;
    const PointLocator<dim> locator(d.cells(), points);
    for (std::size_t i = 0; i < points.size(); ++i)
      {
        locator.check(i, output_section + "Trace points' or 'Velocity points");
        dealii::Vector<double> loads(d.cells().n_dofs());
        std::vector<double> unit(points.size(), 0.);
        unit[i] = 1;
        locator.add_loads(unit, loads);
        // The process that has the cell need not own its nodes.
        std::vector<double> weights(loads.begin(), loads.end());
        d.export_add(weights);
        Traces<double>::Point of_nodes;
        for (std::size_t dof = 0; dof < weights.size(); ++dof)
          if (weights[dof] != 0 && node_of[dof] >= 0)
            {
              of_nodes.nodes.push_back(node_of[dof]);
              of_nodes.weights.push_back(weights[dof]);
            }
        result.push_back(of_nodes);
      }
    return result;
  }
} // namespace


template <int dim>
void
Observation<dim>::declare(Parameters &parameters)
{
  const Patterns::Anything any;
  parameters.declare(output_section + "Interval", "0", Patterns::Double(0.),
                     "time between two files of the potential, in the unit of "
                     "the cell model; a .pvd file lists them; 0: none");
  parameters.declare(output_section + "Activation threshold", "model", any,
                     "potential whose first rise is the activation; model: "
                     "the cell model's");
  parameters.declare(output_section + "Repolarisation threshold", "model", any,
                     "potential whose first fall after the activation is the "
                     "repolarisation");
  parameters.declare(output_section + "Trace points", "", any,
                     "points x, y; x, y; ... (x, y, z in three dimensions) "
                     "whose potential over time is written to traces_*.csv, "
                     "with the columns time, point_1, point_2, and so on, and "
                     "whose activation is recorded");
  parameters.declare(
    output_section + "Electrodes", "", any,
    "points x, y, z; NAME: x, y, z; ... outside of the tissue, "
    "also of a plane one, at which the pseudo-ECG over time, - "
    "the integral of D grad V . grad (1 / distance), is "
    "written to electrodes.csv; with the names RA, LA, LL and "
    "V1, V2, ... also the leads of an electrocardiogram");
  parameters.declare(output_section + "Trace interval", "0",
                     Patterns::Double(0.),
                     "time between two rows of traces and electrodes; 0: every "
                     "step");
  parameters.declare(output_section + "Velocity points", "", any,
                     "two points x, y; x, y between which the conduction "
                     "velocity is computed from the activation times");
  parameters.declare("Validation/Minimal activated part", "0",
                     Patterns::Double(0., 1.),
                     "part of the nodes, from 0 to 1, that has to be activated "
                     "in the end, so that a run without a wave fails");
}


template <int dim>
Observation<dim>::Observation(const Parameters &parameters,
                              const CellModel &model, const std::string &folder)
  : interval(parameters.get_double(output_section + "Interval")),
    trace_interval(parameters.get_double(output_section + "Trace interval")),
    rising(
      read_threshold(parameters, "Activation threshold", model.activation)),
    falling(read_threshold(parameters, "Repolarisation threshold",
                           model.repolarisation)),
    subdivisions(parameters.get(output_section + "Subdivisions") == "degree"
                   ? 0
                   : parameters.get_integer(output_section + "Subdivisions")),
    folder(folder), points(read_points<dim>(parameters, "Trace points")),
    n_traces(points.size()),
    columns(parameters.get(output_section + "Electrodes"),
            output_section + "Electrodes"),
    writer(folder, parameters)
{
  for (const char *const name : {"Interval", "Trace interval"})
    check_interval(parameters, output_section + name);
  const auto between = read_points<dim>(parameters, "Velocity points");
  if (!between.empty() && between.size() != 2)
    throw ParameterError("'" + output_section + "Velocity points' has " +
                         counted(between.size(), "point") + "; legal are two.");
  points.insert(points.end(), between.begin(), between.end());
}


template <int dim>
std::vector<double>
Observation<dim>::events(const double end) const
{
  std::vector<double> times;
  const bool traces = n_traces > 0 || !columns.electrodes.empty();
  for (const double step : {interval, traces ? trace_interval : 0.})
    for (long k = 1; step > 0 && k * step <= end; ++k)
      times.push_back(k * step);
  return times;
}


template <int dim>
void
Observation<dim>::check(const Discretization<dim> &d) const
{
  interpolation_at(d, points);
  columns.check(d);
}


template <int dim>
Observation<dim>::OfCase::OfCase(Observation &observation,
                                 Discretization<dim> &d,
                                 const Problem<double> &problem,
                                 const Coefficient &D)
  : observation(observation), d(d),
    activation(d.backend, d.space->n_owned, observation.rising,
               observation.falling),
    points(interpolation_at(d, observation.points)),
    name(d.entry.name.substr(d.entry.name.rfind("_p") + 1))
{
  const ElectrodeColumns &columns = observation.columns;
  if (!columns.electrodes.empty())
    electrodes.emplace(
      d,
      std::make_unique<Electrodes>(
        problem, D, columns.inverse_distances(node_positions(d)), n_samples),
      columns.names, columns.places());
  auto traced = points;
  traced.resize(observation.n_traces);
  auto places = observation.points;
  places.resize(observation.n_traces);
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= traced.size(); ++i)
    names.push_back("point " + std::to_string(i));
  if (!traced.empty())
    traces.emplace(
      d, std::make_unique<Traces<double>>(d.backend, traced, n_samples), names,
      places);
}


template <int dim>
void
Observation<dim>::OfCase::write_series(const Vector<double> &potential,
                                       const double time)
{
  const program::Timer timer;
  const auto values = values_of_mesh(d, potential.to_vector());
  written.emplace_back(
    time,
    observation.writer.write_step(
      d.cells(), {{{d.solution_name, {values.begin(), values.end()}}}, {}},
      observation.subdivisions > 0 ? observation.subdivisions
                                   : d.entry.problem.degree,
      "potential_" + name + '_' +
        dealii::Utilities::to_string(written.size(), 5),
      "potential_" + name, time));
  written_in += timer.seconds();
}


template <int dim>
void
Observation<dim>::OfCase::sample(const Vector<double> &potential,
                                 const double time)
{
  if (traces)
    traces->sample(time, potential);
  if (electrodes)
    electrodes->sample(time, potential);
}


template <int dim>
void
Observation<dim>::OfCase::begin(const Vector<double> &potential)
{
  if (observation.interval > 0 &&
      reached(next_of_series, observation.interval, 0))
    write_series(potential, 0);
  sample(potential, 0);
  next_of_traces = observation.trace_interval;
}


template <int dim>
void
Observation<dim>::OfCase::after_step(const Vector<double> &before,
                                     const Vector<double> &after,
                                     const double time, const double step)
{
  activation.observe(before, after, time - step, step);
  if (observation.trace_interval == 0 ||
      reached(next_of_traces, observation.trace_interval, time))
    sample(after, time);
  if (observation.interval > 0 &&
      reached(next_of_series, observation.interval, time))
    write_series(after, time);
}


template <int dim>
void
Observation<dim>::OfCase::save(State &state)
{
  if (traces)
    traces->save(state, "traces");
  if (electrodes)
    electrodes->save(state, "electrodes");
  auto &times = state.arrays["times of series"];
  auto &files = state.texts["files of series"];
  for (const auto &[time, file] : written)
    {
      times.push_back(time);
      files += file + '\n';
    }
  const auto nodes = MeshValues::of_nodes(d);
  nodes.save(state, "activation time", activation.activation_times());
  nodes.save(state, "repolarisation time", activation.repolarisation_times());
}


template <int dim>
void
Observation<dim>::OfCase::restore(const State &state)
{
  if (traces)
    traces->restore(state, "traces");
  if (electrodes)
    electrodes->restore(state, "electrodes");
  std::istringstream files(state.text("files of series"));
  written.clear();
  for (const double time : state.array("times of series"))
    {
      std::string file;
      std::getline(files, file);
      written.emplace_back(time, file);
    }
  const double now = state.number("time");
  if (observation.interval > 0)
    next_of_series = next_time(observation.interval, now);
  if (observation.trace_interval > 0)
    next_of_traces = next_time(observation.trace_interval, now);
  const auto nodes = MeshValues::of_nodes(d);
  activation.set_times(nodes.restore(state, "activation time"),
                       nodes.restore(state, "repolarisation time"));
  if (!written.empty())
    observation.writer.continue_series("potential_" + name, written);
}


template <int dim>
void
Observation<dim>::OfCase::finish()
{
  const auto activated   = activation.activation_times(),
             repolarised = activation.repolarisation_times();
  const auto duration    = add_activation_maps(d, activated, repolarised);
  auto &quantities       = d.entry.results.quantities;
  const auto at          = [&](const Traces<double>::Point &point,
                      const std::vector<double> &values) {
    std::vector<double> value(1, 0.);
    for (std::size_t k = 0; k < point.nodes.size(); ++k)
      value[0] += point.weights[k] * values[point.nodes[k]];
    sum_up(d.division, value);
    return value[0];
  };
  const auto coordinates = [&](const std::size_t i) {
    const auto &p = observation.points[i];
    return std::vector<double>(p.begin_raw(), p.end_raw());
  };
  const std::size_t n_traces = observation.n_traces;
  for (std::size_t i = 0; i < n_traces; ++i)
    {
      const std::string point = " at point " + std::to_string(i + 1);
      quantities.push_back(
        {"activation time" + point, at(points[i], activated), coordinates(i)});
      quantities.push_back({"action potential duration" + point,
                            at(points[i], duration), coordinates(i)});
    }
  if (points.size() > n_traces)
    quantities.push_back(
      {"conduction velocity",
       observation.points[n_traces].distance(observation.points[n_traces + 1]) /
         (at(points[n_traces + 1], activated) -
          at(points[n_traces], activated))});
  const auto file = [&](const std::string &what) {
    return observation.folder + '/' + what + '_' + name + ".csv";
  };
  if (traces)
    traces->write(file("traces"));
  if (!electrodes)
    return;
  electrodes->write(file("electrodes"));
  const ElectrodeColumns &columns = observation.columns;
  for (std::size_t i = 0; i < columns.names.size(); ++i)
    {
      std::vector<double> place; // a lead has none
      for (int k = 0; k < 3 && i < columns.electrodes.size(); ++k)
        place.push_back(columns.electrodes[i][k]);
      const std::string where = place.empty() ? "in " : "at ",
                        name  = " pseudo-ECG " + where + columns.names[i];
      quantities.push_back({"smallest" + name, electrodes->smallest[i], place});
      quantities.push_back({"largest" + name, electrodes->largest[i], place});
    }
}


template class Observation<2>;
template class Observation<3>;
