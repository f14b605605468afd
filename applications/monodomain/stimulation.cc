#include "stimulation.h"
#include "tissue.h"

#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/fem/distributed/face_trace.h>
#include <tessera/fem/fields/named_ids.h>
#include <tessera/fem/fields/node_selection.h>
#include <tessera/fem/fields/sampling.h>
#include <tessera/fem/input/time_intervals.h>
#include <tessera/program/text.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <sstream>

using namespace tessera;

namespace
{
  constexpr int n_stimuli           = 8; // more are declared where they are set
  const std::string file_of_stimuli = "Stimuli/File";
  constexpr double infinity         = std::numeric_limits<double>::infinity();

  std::string
  stimulus_section(const int i)
  {
    return "Stimuli/Stimulus " + std::to_string(i);
  }
} // namespace


template <int dim>
void
Stimulation<dim>::declare(Parameters &parameters)
{
  const Patterns::Anything any;
  parameters.declare(file_of_stimuli, "", any,
                     "a file with a further stimulus in each line: start, "
                     "duration, strength, and radius and centre of a sphere or "
                     "the name of a set of nodes of the mesh file; or radius "
                     "and both ends of a branch and the start at the second");
  parameters.declare_any_number("Stimuli/Stimulus");
  for (int i = 1; i <= n_stimuli; ++i)
    {
      const std::string section = stimulus_section(i) + '/';
      parameters.declare(
        section + "Shape", "none",
        Patterns::Selection("none|box|sphere|boundary|material"),
        "which nodes are stimulated: those in a box or a "
        "sphere, on boundaries or in materials");
      parameters.declare(section + "From", "", any,
                         "x, y or x, y, z: a corner of a box");
      parameters.declare(section + "To", "", any, "the opposite corner");
      parameters.declare(section + "Centre", "", any, "the centre of a sphere");
      parameters.declare(section + "Radius", "1", Patterns::Double(),
                         "the radius of the sphere");
      parameters.declare(section + "Ids", "", any,
                         "ids or names of boundaries or materials, separated "
                         "by commas");
      parameters.declare(section + "Start", "0", Patterns::Double(0.),
                         "when the first pulse begins, in the unit of time of "
                         "the cell model");
      parameters.declare(section + "Duration", "2", Patterns::Double(),
                         "how long a pulse takes");
      parameters.declare(
        section + "Period", "0", Patterns::Double(0.),
        "the time from one pulse to the next; 0: a single pulse");
      parameters.declare(section + "Strength", "50", Patterns::Double(),
                         "what is added to the derivative of the potential, in "
                         "mV/ms (or in the units of the cell model): a current "
                         "per volume divided by surface-to-volume ratio and "
                         "membrane capacitance");
    }
}


template <int dim>
Stimulation<dim>::Stimulation(const Parameters &parameters)
{
  for (const int i : parameters.numbers("Stimuli/Stimulus"))
    {
      const std::string section = stimulus_section(i);
      const auto point          = [&](const std::string &name) {
        const std::string entry = section + '/' + name;
        return read_point<dim>(parameters.get(entry), entry);
      };
      Place place;
      place.section = section;
      place.where   = "section '" + section + "'";
      place.shape   = parameters.get(section + "/Shape");
      if (place.shape == "none")
        continue;
      if (place.shape == "box")
        {
          place.from = point("From");
          place.to   = point("To");
        }
      else if (place.shape == "sphere")
        {
          place.from   = point("Centre");
          place.radius = parameters.get_positive(section + "/Radius");
        }
      else
        place.ids = parameters.get_list(section + "/Ids");
      Pulses &pulses  = place.pulses;
      pulses.start    = parameters.get_double(section + "/Start");
      pulses.duration = parameters.get_positive(section + "/Duration");
      pulses.period   = parameters.get_double(section + "/Period");
      pulses.strength = parameters.get_double(section + "/Strength");
      if (pulses.period > 0 && pulses.period <= pulses.duration)
        throw ParameterError("'" + section + "/Period' is " +
                             parameters.get(section + "/Period") +
                             ", which is not longer than the duration of a "
                             "pulse; legal are longer periods, or 0 for a "
                             "single pulse.");
      check_interval(parameters, section + "/Period");
      places.push_back(place);
    }
  if (!parameters.get(file_of_stimuli).empty())
    read_file(parameters);
}


template <int dim>
void
Stimulation<dim>::read_file(const Parameters &parameters)
{
  const std::string path = parameters.get_file(file_of_stimuli);
  std::ifstream file(path);
  if (!file)
    throw ParameterError("'" + file_of_stimuli + "' is " + printable(path) +
                         ", which cannot be read.");
  std::string line;
  for (int number = 1; std::getline(file, line); ++number)
    {
      std::istringstream text(line.substr(0, line.find('#')));
      const std::vector<std::string> words{
        std::istream_iterator<std::string>(text), {}};
      if (words.empty())
        continue;
      std::optional<Place> place = read_words(words);
      const std::string where =
        "line " + std::to_string(number) + " of " + path;
      if (!place)
        throw ParameterError(
          "'" + file_of_stimuli + "': " + where + " is '" + printable(line) +
          "'; legal are start (at least 0), duration (positive), strength, and "
          "the radius (positive) and the " +
          std::to_string(dim) +
          " coordinates of a sphere, or the name of a set of nodes; or the "
          "same with the radius of a branch, the coordinates of both of its "
          "ends, and the start (at least 0) at the second one.");
      place->where = where;
      places.push_back(*place);
    }
}


template <int dim>
std::optional<typename Stimulation<dim>::Place>
Stimulation<dim>::read_words(const std::vector<std::string> &words)
{
  const std::size_t n = words.size();
  Place place;
  place.shape          = n == 4 ? "set" : n == 4 + dim ? "sphere" : "branch";
  const bool is_branch = place.shape == "branch";
  std::vector<double> values;
  for (std::size_t k = 0; k < (n == 4 ? 3 : n); ++k)
    values.push_back(program::number(words[k]).value_or(std::nan("")));
  if ((is_branch && n != 5 + 2 * dim) ||
      !std::all_of(values.begin(), values.end(),
                   [](const double x) { return std::isfinite(x); }) ||
      values[0] < 0 || !(values[1] > 0) || (n > 4 && !(values[3] > 0)) ||
      (is_branch && values.back() < 0))
    return std::nullopt;
  place.pulses.start    = values[0];
  place.pulses.duration = values[1];
  place.pulses.strength = values[2];
  place.end             = values.back();
  if (n == 4)
    {
      place.ids = {words[3]};
      return place;
    }
  place.radius = values[3];
  for (int i = 0; i < dim; ++i)
    {
      place.from[i] = values[4 + i];
      if (is_branch)
        place.to[i] = values[4 + dim + i];
    }
  return place;
}


template <int dim>
std::vector<char>
Stimulation<dim>::marked_dofs(const Discretization<dim> &d,
                              const Place &place) const
{
  const CellNodes<dim> &cells = d.cells();
  std::vector<char> marked(cells.n_dofs(), 0);
  if (place.shape == "set")
    {
      const NodeSet *const set = find_name(d.mesh().node_sets, place.ids[0]);
      if (set == nullptr)
        throw MeshError("The " + d.mesh().source + " has no set of nodes '" +
                        printable(place.ids[0]) + "', which " + place.where +
                        " names.");
      for (const auto &node : nodes_of_set(*set, d.mesh(), cells))
        marked[node.number] = 1;
      return marked;
    }
  const bool faces = place.shape == "boundary";
  const NamedIds known =
    faces ? NamedIds::boundaries(d.mesh()) : NamedIds::materials(d.mesh());
  std::set<unsigned int> ids;
  for (const std::string &name : place.ids)
    for (const unsigned int id : known.find(name, place.section + "/Ids"))
      ids.insert(id);

  if (faces)
    {
      FaceTrace<dim> trace(cells, {});
      for (const MeshFace &face : cells.boundary_faces(ids))
        {
          trace.reinit(face);
          for (const int node : trace.nodes())
            marked[node] = 1;
        }
      return marked;
    }
  for (int cell = 0; cell < cells.n_cells(); ++cell)
    if (ids.count(cells.mesh().materials.data()[cell]) > 0)
      for (int i = 0; i < cells.nodes_per_cell(); ++i)
        marked[cells.nodes(cell)[i]] = 1;
  return marked;
}


template <int dim>
std::vector<typename Stimulation<dim>::Stimulus>
Stimulation<dim>::on_nodes(const Discretization<dim> &d) const
{
  const auto points = node_positions(d);
  std::vector<Stimulus> result;
  for (const Place &place : places)
    {
      if (place.shape == "branch")
        continue;
      std::vector<char> marked;
      if (place.shape == "boundary" || place.shape == "material" ||
          place.shape == "set")
        marked = marked_dofs(d, place);
      const double size =
        place.shape == "box" ? place.from.distance(place.to) : place.radius;
      const double tolerance = 1e-10 * size;
      const auto inside      = [&](const int node) {
        if (!marked.empty())
          return marked[d.space->mesh_dof[node]] != 0;
        const auto &x = points[node];
        if (place.shape == "sphere")
          return x.distance(place.from) <= place.radius + tolerance;
        for (int i = 0; i < dim; ++i)
          if (x[i] < std::min(place.from[i], place.to[i]) - tolerance ||
              x[i] > std::max(place.from[i], place.to[i]) + tolerance)
            return false;
        return true;
      };
      Stimulus stimulus{place.pulses, {}, {}};
      for (int i = 0; i < static_cast<int>(points.size()); ++i)
        if (inside(i))
          stimulus.nodes.push_back(i);
      if (!d.any(!stimulus.nodes.empty()))
        throw ParameterError("The stimulus of " + place.where +
                             " meets no node of the mesh.");
      result.push_back(stimulus);
    }
  add_branches(d, points, result);
  return result;
}


template <int dim>
void
Stimulation<dim>::add_branches(const Discretization<dim> &d,
                               const std::vector<dealii::Point<dim>> &points,
                               std::vector<Stimulus> &stimuli) const
{
  struct Tree
  {
    double first = infinity, last = 0;
    std::vector<double> starts; ///< of all nodes; infinity: none
  };
  std::map<std::pair<double, double>, std::vector<Tree>>
    trees; // by duration and strength, one after another
  std::vector<Place> branches;
  std::copy_if(places.begin(), places.end(), std::back_inserter(branches),
               [](const Place &place) { return place.shape == "branch"; });
  const auto begin_of = [](const Place &branch) {
    return std::min(branch.pulses.start, branch.end);
  };
  std::stable_sort(
    branches.begin(), branches.end(),
    [&](const Place &a, const Place &b) { return begin_of(a) < begin_of(b); });
  const int n = static_cast<int>(points.size());
  std::vector<double> n_nodes(branches.size());
  for (std::size_t k = 0; k < branches.size(); ++k)
    {
      const Place &branch = branches[k];
      const double start = branch.pulses.start, begin = begin_of(branch);
      auto &beats = trees[{branch.pulses.duration, branch.pulses.strength}];
      if (beats.empty() || begin >= beats.back().last + branch.pulses.duration)
        beats.push_back({begin, begin, std::vector<double>(n, infinity)});
      Tree &tree           = beats.back();
      tree.last            = std::max({tree.last, start, branch.end});
      const auto along     = branch.to - branch.from;
      const double reach   = branch.radius * (1 + 1e-10);
      const double length2 = along.norm_square();
      int met              = 0;
#pragma omp parallel for reduction(+ : met)
      for (int i = 0; i < n; ++i)
        {
          const auto x = points[i] - branch.from;
          if (std::abs(x[0] - along[0] / 2) > std::abs(along[0]) / 2 + reach)
            continue; // most nodes
          // The nearest point of the branch, as a part of its length.
          const double part = length2 > 0
                                ? std::clamp(x * along / length2, 0., 1.)
                                : (start > branch.end ? 1. : 0.);
          if ((x - part * along).norm() > reach)
            continue;
          ++met;
          tree.starts[i] =
            std::min(tree.starts[i], start + part * (branch.end - start));
        }
      n_nodes[k] = met;
    }
  sum_up(d.division, n_nodes);
  for (std::size_t k = 0; k < branches.size(); ++k)
    if (n_nodes[k] == 0)
      throw ParameterError("The stimulus of " + branches[k].where +
                           " meets no node of the mesh.");
  for (const auto &[key, beats] : trees)
    for (const Tree &tree : beats)
      {
        Stimulus stimulus;
        stimulus.pulses.start    = tree.first;
        stimulus.pulses.spread   = tree.last - tree.first;
        stimulus.pulses.duration = key.first;
        stimulus.pulses.strength = key.second;
        for (int i = 0; i < n; ++i)
          if (tree.starts[i] < infinity)
            {
              stimulus.nodes.push_back(i);
              stimulus.delays.push_back(tree.starts[i] - tree.first);
            }
        stimuli.push_back(stimulus);
      }
}


template class Stimulation<2>;
template class Stimulation<3>;
