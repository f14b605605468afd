#include "stimulation.h"
#include "tissue.h"

#include <tessera/base/error.h>
#include <tessera/fem/distributed/face_trace.h>
#include <tessera/fem/fields/named_ids.h>
#include <tessera/fem/fields/sampling.h>
#include <tessera/fem/input/time_intervals.h>

#include <algorithm>
#include <set>

using namespace tessera;

namespace
{
  constexpr int n_stimuli = 8; // more are declared where they are set

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
}


template <int dim>
std::vector<char>
Stimulation<dim>::marked_dofs(const Discretization<dim> &d,
                              const Place &place) const
{
  const bool faces = place.shape == "boundary";
  const NamedIds known =
    faces ? NamedIds::boundaries(d.mesh) : NamedIds::materials(d.mesh);
  std::set<unsigned int> ids;
  for (const std::string &name : place.ids)
    for (const unsigned int id : known.find(name, place.section + "/Ids"))
      ids.insert(id);

  const CellNodes<dim> &cells = d.cells();
  std::vector<char> marked(cells.n_dofs(), 0);
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
      std::vector<char> marked;
      if (place.shape == "boundary" || place.shape == "material")
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
      Stimulus stimulus{place.pulses, {}};
      for (int i = 0; i < static_cast<int>(points.size()); ++i)
        if (inside(i))
          stimulus.nodes.push_back(i);
      if (!d.any(!stimulus.nodes.empty()))
        throw ParameterError("The stimulus of section '" + place.section +
                             "' meets no node of the mesh.");
      result.push_back(stimulus);
    }
  return result;
}


template class Stimulation<2>;
template class Stimulation<3>;
