#pragma once

#include <tessera/base/registry.h>
#include <tessera/space/space.h>

#include <functional>

// A numbering describes itself: its source, in any library, registers a
// function that returns its descriptor.
namespace tessera
{
  /// The section of a vector in which a node stands, in their order.
  enum class NodePlace : unsigned char
  {
    owned,
    ghost,
    hanging,
    constrained
  };

  /// Describes a way to give local indices to degrees of freedom.
  struct NumberingDescriptor
  {
    std::string name;
    std::string sentence; ///< what it does
    std::string source;   ///< paper and section, or empty
    /// Returns the local index of every node of the mesh, [n_dofs], within the
    /// section of its place; -1 for a node without cells. `space` already has
    /// the counts of nodes and the order of the cells.
    std::function<std::vector<int>(const Space &space, const Connectivity &mesh,
                                   const std::vector<NodePlace> &place)>
      number = {};
    /// True if the cells always have the order `blocked`.
    bool goes_by_blocks = false;
    /// True if in a batch of cells the first nodes of all cells come before the
    /// second ones; vertices are then numbered likewise.
    bool goes_by_lanes = false;
  };

  extern template class Registry<NumberingDescriptor>;

  /// Returns the local indices, [n_dofs], of nodes that are numbered in the
  /// order of a list of all nodes, section by section; -1 for a node without
  /// cells.
  std::vector<int>
  number_in_order(const Space &space, const Connectivity &mesh,
                  const std::vector<NodePlace> &place,
                  const std::vector<int> &order);

  /// Returns the names of the numberings of all linked libraries, in
  /// alphabetical order.
  std::vector<std::string>
  numbering_names();

  /// Returns the descriptor of a numbering. Throws ParameterError for an
  /// unknown name, with the legal ones.
  const NumberingDescriptor &
  numbering_descriptor(const std::string &name);
} // namespace tessera
