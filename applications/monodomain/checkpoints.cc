#include "checkpoints.h"

#include <tessera/base/error.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <sstream>
#include <utility>

using namespace tessera;

namespace
{
  const std::string file_name = "checkpoint_", entry_in_state = "entry ";

  bool
  is_in_one_of(const std::string &path,
               const std::initializer_list<const char *> sections)
  {
    return std::any_of(sections.begin(), sections.end(),
                       [&path](const char *const section) {
                         return path.rfind(section, 0) == 0;
                       });
  }

  /// Returns whether an entry of the parameter file may be another one in a run
  /// that goes on: when it ends, how it stimulates and solves, and what it
  /// writes. The thresholds may not, because nodes that have passed them keep
  /// their times.
  bool
  may_differ(const std::string &path)
  {
    return path == "Time/End" || path == "Finite element/Degrees" ||
           path == "Mesh/Cycles" || path == "Mesh/Refined by" ||
           is_in_one_of(path, {"Checkpoint/", "Exact solution/", "Operator/",
                               "Solver/", "Stimuli/", "Validation/"}) ||
           (is_in_one_of(path, {"Output/"}) &&
            path.find("threshold") == std::string::npos);
  }

  /// Returns true for an entry that a restart may change and that a note names
  /// if it does. The checkpoint stores such entries.
  bool
  is_said(const std::string &path)
  {
    return is_in_one_of(path, {"Stimuli/", "Output/Interval", "Output/Trace",
                               "Output/Velocity", "Output/Electrodes"});
  }

  std::string
  shown(const double time)
  {
    std::ostringstream text;
    text << time;
    return text.str();
  }

  template <int dim>
  const Processes *
  processes_of(const Discretization<dim> &d)
  {
    return d.division == nullptr ? nullptr : &d.division->processes();
  }

  /// Returns the entries of a case: its parameters and its mesh.
  template <int dim>
  std::map<std::string, std::string>
  problem_of(std::map<std::string, std::string> problem,
             const Discretization<dim> &d)
  {
    SumOfHashes vertices, fibres;
    for (const auto &cell : d.mesh.triangulation().active_cell_iterators())
      {
        if (!is_here(d.division, cell))
          continue;
        std::vector<double> corners;
        for (const unsigned int v : cell->vertex_indices())
          corners.insert(corners.end(), cell->vertex(v).begin_raw(),
                         cell->vertex(v).end_raw());
        vertices.add(d.mesh.number_of(cell), corners);
        if (d.mesh.fibres.empty())
          continue;
        const auto &fibre = d.mesh.fibres[cell->active_cell_index()];
        fibres.add(d.mesh.number_of(cell), {fibre.begin(), fibre.end()});
      }
    problem["degree"]               = std::to_string(d.entry.problem.degree);
    problem["nodes"]                = std::to_string(d.entry.problem.dofs);
    problem["vertices of the mesh"] = vertices.of_all(processes_of(d));
    problem["fibres of the mesh"]   = fibres.of_all(processes_of(d));
    return problem;
  }

  /// Returns the numbers of the cells and the owned nodes of a process. Those
  /// of cells are the ones that they have in a mesh of one process. A node is
  /// numbered within the cell of the lowest number that has it: its number is
  /// that of the cell times the nodes of a cell, plus its place there. A
  /// process knows all cells around its owned nodes, so it needs no other one
  /// for this.
  template <int dim>
  Checkpoint::Places
  places_of(const Discretization<dim> &d)
  {
    // The place in a cell is that in deal.II's order.
    const CellNodes<dim> &cells = d.cells();
    const int n                 = cells.nodes_per_cell();
    std::vector<std::int64_t> of_cell(cells.n_cells()),
      of_dof(cells.n_dofs(), std::numeric_limits<std::int64_t>::max());
    for (int cell = 0; cell < cells.n_cells(); ++cell)
      {
        if (!cells.is_known(cell))
          continue;
        const std::int64_t number = d.mesh.number_of_index(cell);
        of_cell[cell]             = number;
        for (int i = 0; i < n; ++i)
          {
            std::int64_t &of_node = of_dof[cells.nodes(cell)[i]];
            of_node               = std::min<std::int64_t>(
              of_node, number * n + cells.place_of_dealii(i));
          }
      }
    // A process may have no cells or no nodes.
    Checkpoint::Places places{{"cells", {}}, {"nodes", {}}};
    for (const int cell : d.space->mesh_cell)
      places["cells"].push_back(of_cell[cell]);
    for (int i = 0; i < d.space->n_owned; ++i)
      places["nodes"].push_back(of_dof[d.space->mesh_dof[i]]);
    return places;
  }
} // namespace


void
Checkpoints::declare(Parameters &parameters)
{
  parameters.declare("Checkpoint/Steps", "0", Patterns::Integer(0),
                     "steps between two checkpoints, files of the output "
                     "folder from which a later run goes on; 0: none by the "
                     "number of steps. An interrupt always writes one");
  parameters.declare("Checkpoint/At end", "true", Patterns::Bool(),
                     "whether the end of a run writes one, from which a run "
                     "with a larger Time/End goes on");
  parameters.declare("Checkpoint/Minutes", "0", Patterns::Double(0.),
                     "minutes between two checkpoints; 0: none by the clock");
  parameters.declare("Checkpoint/Restart", "false", Patterns::Bool(),
                     "whether to go on from the checkpoints of the output "
                     "folder; only Time/End, stimuli, output and how systems "
                     "are solved may differ from the run that wrote them");
}


Checkpoints::Checkpoints(const Parameters &parameters,
                         const std::string &folder)
  : steps(parameters.get_integer("Checkpoint/Steps")),
    minutes(parameters.get_double("Checkpoint/Minutes")),
    at_end(parameters.get_bool("Checkpoint/At end")),
    end(parameters.get_positive("Time/End")),
    is_restart(parameters.get_bool("Checkpoint/Restart")), folder(folder)
{
  for (const auto &[path, value] : parameters.values())
    if (!may_differ(path))
      problem.emplace(path, value);
    else if (is_said(path))
      said.emplace(entry_in_state + path, value);
  if (!is_restart)
    return;
  std::error_code error;
  for (const auto &file : std::filesystem::directory_iterator(folder, error))
    if (file.path().filename().string().rfind(file_name, 0) == 0)
      return;
  throw ParameterError("'Checkpoint/Restart' is true, but the folder '" +
                       folder +
                       "' has no checkpoint; the end of a run leaves one if "
                       "'Checkpoint/At end' is true.");
}


template <int dim>
Checkpoints::OfCase::OfCase(const Checkpoints &checkpoints,
                            const Discretization<dim> &d)
  : checkpoints(checkpoints), problem(d), make_file([&checkpoints, &d]() {
      return std::make_unique<const Checkpoint>(
        checkpoints.folder + '/' + file_name +
          d.entry.name.substr(d.entry.name.rfind("_p") + 1),
        problem_of(checkpoints.problem, d), places_of(d), processes_of(d));
    })
{
  if (!checkpoints.is_restart)
    return;
  const std::string path = file().path;
  d.collectively([&]() {
    earlier           = file().read();
    const double time = earlier ? earlier->number("time") : 0;
    if (time > (1 + 1e-9) * checkpoints.end)
      throw ParameterError("'Time/End' is " + shown(checkpoints.end) +
                           ", but the checkpoint '" + path +
                           "' is of the time " + shown(time) +
                           "; a run goes on to later times alone.");
  });
  if (d.division != nullptr &&
      !d.division->processes().agree_on(
        earlier ? std::to_string(earlier->number("time")) : "none"))
    throw ParameterError("Not all processes find the same checkpoint '" + path +
                         "'; they need a common output folder.");
  if (!earlier)
    std::cerr << "note: There is no '" << path << "', so this case starts anew."
              << std::endl;
  else if (problem.writes())
    for (const auto &[entry, value] : checkpoints.said)
      if (const auto found = earlier->texts.find(entry);
          found != earlier->texts.end() && found->second != value)
        std::cerr << "note: from the time " << shown(earlier->number("time"))
                  << " on '" << entry.substr(entry_in_state.size()) << "' is '"
                  << value << "'; it was '" << found->second << "' before."
                  << std::endl;
}


std::optional<State>
Checkpoints::OfCase::take()
{
  return std::exchange(earlier, {});
}


void
Checkpoints::OfCase::after_step(const std::function<State()> &state)
{
  ++n_steps;
  if ((checkpoints.steps > 0 && n_steps >= checkpoints.steps) ||
      (checkpoints.minutes > 0 &&
       problem.any(since.seconds() >= 60 * checkpoints.minutes)))
    write(state());
}


void
Checkpoints::OfCase::finish(const std::function<State()> &state,
                            const bool interrupted)
{
  if (n_steps > 0 && (interrupted || checkpoints.at_end ||
                      checkpoints.steps > 0 || checkpoints.minutes > 0))
    write(state());
}


const Checkpoint &
Checkpoints::OfCase::file()
{
  if (!made)
    made = make_file();
  return *made;
}


void
Checkpoints::OfCase::write(State state)
{
  state.texts.insert(checkpoints.said.begin(), checkpoints.said.end());
  try
    {
      file().write(state);
    }
  catch (const Error &error)
    {
      if (problem.writes())
        std::cerr << "warning: " << error.what() << std::endl;
    }
  n_steps = 0;
  since.restart();
}


template Checkpoints::OfCase::OfCase(const Checkpoints &,
                                     const Discretization<2> &);
template Checkpoints::OfCase::OfCase(const Checkpoints &,
                                     const Discretization<3> &);
