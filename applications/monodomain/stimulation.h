#pragma once

#include "cell_models/stimulus.h"
#include <tessera/fem/driver/discretization.h>

#include <string>
#include <vector>

/// The section `Stimuli`: the subsections `Stimulus 1`, `Stimulus 2` and so on,
/// each a set of nodes and the times at which it is stimulated.
template <int dim>
class Stimulation
{
public:
  static void
  declare(tessera::Parameters &parameters);

  /// Throws ParameterError for points with a wrong number of coordinates and
  /// for durations, periods or radii that are not legal.
  explicit Stimulation(const tessera::Parameters &parameters);

  struct Stimulus
  {
    tessera::Pulses pulses;
    std::vector<int> nodes; ///< owned ones and ghosts, of this process
  };

  /// Returns the stimuli with their nodes. Throws ParameterError if one meets
  /// no node of any process, and MeshError for boundaries or materials that do
  /// not exist.
  std::vector<Stimulus>
  on_nodes(const tessera::Discretization<dim> &d) const;

private:
  struct Place
  {
    std::string section, shape;
    dealii::Point<dim> from, to; ///< of a box; `from`: centre of a sphere
    double radius = 0;
    std::vector<std::string> ids; ///< boundaries or materials
    tessera::Pulses pulses;
  };

  /// Returns for every degree of freedom of deal.II whether it is on faces or
  /// cells with the ids of the place.
  std::vector<char>
  marked_dofs(const tessera::Discretization<dim> &d, const Place &place) const;

  std::vector<Place> places;
};
