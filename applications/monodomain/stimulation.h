#pragma once

#include "cell_models/stimulus.h"
#include <tessera/fem/driver/discretization.h>

#include <string>
#include <vector>

/// The section `Stimuli`: the subsections `Stimulus 1`, `Stimulus 2` and so on,
/// each a set of nodes and the times at which it is stimulated, and a file with
/// a stimulus in each line, such as the ends of a tree of Purkinje's fibres.
template <int dim>
class Stimulation
{
public:
  static void
  declare(tessera::Parameters &parameters);

  /// Throws ParameterError for points with a wrong number of coordinates, for
  /// durations, periods or radii that are not legal, and for a file that cannot
  /// be read or has such a line.
  explicit Stimulation(const tessera::Parameters &parameters);

  struct Stimulus
  {
    tessera::Pulses pulses;
    std::vector<int> nodes; ///< owned ones and ghosts, of this process
  };

  /// Returns the stimuli with their nodes. Throws ParameterError if one meets
  /// no node of any process, and MeshError for boundaries, materials or sets of
  /// nodes that do not exist.
  std::vector<Stimulus>
  on_nodes(const tessera::Discretization<dim> &d) const;

private:
  struct Place
  {
    std::string section, shape;
    std::string where; ///< the section or the line of the file, for messages
    dealii::Point<dim> from, to; ///< of a box; `from`: centre of a sphere
    double radius = 0;
    std::vector<std::string> ids; ///< boundaries, materials or a set of nodes
    tessera::Pulses pulses;
  };

  /// Adds the places in the lines of the file.
  void
  read_file(const tessera::Parameters &parameters);

  /// Returns for every degree of freedom of deal.II whether it is on faces or
  /// cells with the ids of the place, or in its set of nodes.
  std::vector<char>
  marked_dofs(const tessera::Discretization<dim> &d, const Place &place) const;

  std::vector<Place> places;
};
