#pragma once

#include "cell_models/stimulus.h"
#include <tessera/fem/driver/discretization.h>

#include <optional>
#include <string>
#include <vector>

/// The section `Stimuli`: the subsections `Stimulus 1`, `Stimulus 2` and so on,
/// each a set of nodes and the times at which it is stimulated, and a file with
/// a stimulus in each line, such as the branches of a tree of Purkinje's fibres
/// or their ends.
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
    std::vector<int> nodes;     ///< owned ones and ghosts, of this process
    std::vector<double> delays; ///< of the nodes of branches; empty: none
  };

  /// Returns the stimuli with their nodes. Branches of one duration and
  /// strength are one tree until all have ended, which stimulates a node once,
  /// from the branch that reaches it first; branches that begin later are its
  /// next beat. Throws ParameterError if a place meets no node of any process,
  /// and MeshError for boundaries, materials or sets of nodes that do not
  /// exist.
  std::vector<Stimulus>
  on_nodes(const tessera::Discretization<dim> &d) const;

private:
  struct Place
  {
    std::string section, shape;
    std::string where; ///< the section or the line of the file, for messages
    /// Two corners of a box or both ends of a branch. A sphere has its centre
    /// in `from`.
    dealii::Point<dim> from, to;
    double radius = 0;
    double end    = 0;            ///< when the end of a branch begins
    std::vector<std::string> ids; ///< boundaries, materials or a set of nodes
    tessera::Pulses pulses;
  };

  /// Adds the places in the lines of the file.
  void
  read_file(const tessera::Parameters &parameters);

  /// Returns the place in the words of a line, or nothing if they are not
  /// legal.
  static std::optional<Place>
  read_words(const std::vector<std::string> &words);

  /// Appends the stimuli of all branches.
  void
  add_branches(const tessera::Discretization<dim> &d,
               const std::vector<dealii::Point<dim>> &points,
               std::vector<Stimulus> &stimuli) const;

  /// Returns for every degree of freedom of deal.II whether it is on faces or
  /// cells with the ids of the place, or in its set of nodes.
  std::vector<char>
  marked_dofs(const tessera::Discretization<dim> &d, const Place &place) const;

  std::vector<Place> places;
};
