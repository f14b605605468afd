#include "checkpoints.h"

#include <tessera/base/error.h>
#include <tessera/base/random.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <sstream>
#include <utility>

using namespace tessera;

namespace
{
  const std::string file_name = "checkpoint_", entry_in_state = "entry ",
                    corners_name = "corners of the mesh";

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
    return path == "Time/End" || path == "Time/Rates" ||
           path == "Time/Tangents" || path == "Time/Measure phases" ||
           path == "Finite element/Degrees" || path == "Mesh/Cycles" ||
           path == "Mesh/Refined by" ||
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

  /// Returns the entries of a case: its parameters and its mesh.
  template <int dim>
  std::map<std::string, std::string>
  problem_of(std::map<std::string, std::string> problem,
             const Discretization<dim> &d)
  {
    SumOfHashes fibres;
    for (std::size_t cell = 0; cell < d.mesh().fibres.size(); ++cell)
      if (d.cells().is_own(cell))
        {
          const auto &fibre = d.mesh().fibres[cell];
          fibres.add(d.mesh().number_of_index(static_cast<std::int64_t>(cell)),
                     {fibre.begin(), fibre.end()});
        }
    problem["degree"]             = std::to_string(d.entry.problem.degree);
    problem["nodes"]              = std::to_string(d.entry.problem.dofs);
    problem["fibres of the mesh"] = fibres.of_all(d.division.processes());
    return problem;
  }

  /// Returns a number from [-1, 1) that looks random.
  double
  weight(const std::uint64_t number)
  {
    return static_cast<double>(mix(number) >> 11) * 0x1p-52 - 1;
  }

  /// Returns the number of the corners of all cells, their largest coordinate
  /// and, for each direction, two sums of their coordinates times weights that
  /// depend on the number of the cell and the corner. Vertices of arrays and of
  /// deal.II differ by rounding, which changes these numbers little, and a
  /// checksum wholly. They do not depend on the number of threads.
  template <int dim>
  std::vector<double>
  corners_of(const Discretization<dim> &d)
  {
    constexpr int at_once       = 4096;
    const CellNodes<dim> &cells = d.cells();
    const MeshArrays &mesh      = cells.mesh();
    const int n = mesh.corners_per_cell(), n_cells = cells.n_cells();
    std::vector<std::array<double, 2 + 2 * dim>> blocks(
      (std::size_t(n_cells) + at_once - 1) / at_once);
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < blocks.size(); ++b)
      {
        auto &block       = blocks[b];
        const auto first  = b * at_once;
        const auto behind = std::min(first + at_once, std::size_t(n_cells));
        for (std::size_t cell = first; cell < behind; ++cell)
          for (int v = 0; v < n && cells.is_own(cell); ++v)
            {
              const double *const x =
                mesh.vertices.data() +
                std::size_t(mesh.corners.data()[cell * n + v]) * dim;
              const auto corner =
                static_cast<std::uint64_t>(
                  d.mesh().number_of_index(static_cast<std::int64_t>(cell))) *
                  n +
                v;
              block[0] += 1;
              for (int k = 0; k < 2 * dim; ++k)
                {
                  block[1] = std::max(block[1], std::abs(x[k % dim]));
                  block[2 + k] += weight(corner * 2 * dim + k) * x[k % dim];
                }
            }
      }
    std::vector<double> sums(2 + 2 * dim, 0.);
    double largest = 0;
    for (const auto &block : blocks)
      {
        std::transform(block.begin(), block.end(), sums.begin(), sums.begin(),
                       std::plus<>());
        largest = std::max(largest, block[1]);
      }
    sum_up(d.division, sums);
    sums[1] = d.largest(largest);
    return sums;
  }

  /// Throws ParameterError unless a state is of a mesh with these corners.
  void
  check_corners(const State &state, const std::vector<double> &now,
                const std::string &path)
  {
    const auto &there = state.array(corners_name);
    // Curved meshes have vertices that were found by iterations.
    const double tolerance = (1e-6 + 1e-13 * now[0]) * now[1];
    bool is_same           = there.size() == now.size() && there[0] == now[0];
    for (std::size_t k = 2; k < now.size() && is_same; ++k)
      is_same = std::abs(there[k] - now[k]) <= tolerance;
    if (!is_same)
      throw ParameterError("The checkpoint '" + path + "' is of another mesh.");
  }

  /// Returns the numbers of the cells and the owned nodes of a process. Cells
  /// have their numbers in a mesh of one process. A node is
  /// numbered within the cell of the lowest number that has it: its number is
  /// the cell's times the nodes of a cell, plus its place there. A
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
        const std::int64_t number = d.mesh().number_of_index(cell);
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
  : checkpoints(checkpoints), this_case(d),
    make_file([this, &checkpoints, &d]() {
      corners = corners_of(d);
      return std::make_unique<const Checkpoint>(
        checkpoints.folder + '/' + file_name +
          d.entry.name.substr(d.entry.name.rfind("_p") + 1),
        problem_of(checkpoints.problem, d), places_of(d),
        d.division.processes());
    })
{
  if (!checkpoints.is_restart)
    return;
  const std::string path = file().path;
  d.collectively([&]() {
    earlier = file().read();
    if (earlier)
      check_corners(*earlier, corners, path);
    const double time = earlier ? earlier->number("time") : 0;
    if (time > (1 + 1e-9) * checkpoints.end)
      throw ParameterError("'Time/End' is " + shown(checkpoints.end) +
                           ", but the checkpoint '" + path +
                           "' is of the time " + shown(time) +
                           "; a run goes on to later times alone.");
  });
  if (!d.division.processes().agree_on(
        earlier ? std::to_string(earlier->number("time")) : "none"))
    throw ParameterError("Not all processes find the same checkpoint '" + path +
                         "'; they need a common output folder.");
  if (!earlier)
    std::cerr << "note: There is no '" << path << "', so this case starts anew."
              << std::endl;
  else if (this_case.writes())
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
       this_case.any(since.seconds() >= 60 * checkpoints.minutes)))
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
  if (!stored)
    stored = make_file();
  return *stored;
}


void
Checkpoints::OfCase::write(State state)
{
  state.texts.insert(checkpoints.said.begin(), checkpoints.said.end());
  try
    {
      const Checkpoint &to = file();
      state.arrays.emplace(corners_name, corners);
      to.write(state);
    }
  catch (const Error &error)
    {
      if (this_case.writes())
        std::cerr << "warning: " << error.what() << std::endl;
    }
  n_steps = 0;
  since.restart();
}


template Checkpoints::OfCase::OfCase(const Checkpoints &,
                                     const Discretization<2> &);
template Checkpoints::OfCase::OfCase(const Checkpoints &,
                                     const Discretization<3> &);
