#pragma once

#include <tessera/fem/distributed/cell_nodes.h>
#include <tessera/fem/input/selection.h>
#include <tessera/fem/mesh/mesh.h>

#include <deal.II/base/point.h>

#include <string>
#include <vector>

namespace tessera
{
  /// Nodes that an entry of a parameter file selects: sets of nodes of the mesh
  /// file, or the nodes at which a formula holds (`read_selection`).
  template <int dim>
  class NodeSelection
  {
  public:
    struct Node
    {
      int number;
      dealii::Point<dim> point;
    };

    /// Reads the entry. Throws what `read_selection` and `formula_of` throw.
    NodeSelection(const Parameters &parameters, const std::string &path);

    bool
    empty() const
    {
      return names.empty();
    }

    /// Returns the nodes of the cells that this process knows, in ascending
    /// order. A hanging node is interpolated from its parents and selected only
    /// together with them. Throws MeshError for a set that the mesh does not
    /// have, and ParameterError for a formula without a value at a node.
    std::vector<Node>
    find(const Mesh<dim> &mesh, const CellNodes<dim> &cells) const;

    /// Throws MeshError for a set or formula that selects no node of any
    /// process; the processes call this together. A note says once that a
    /// formula holds at both ends of edges but not between them.
    void
    check(const Mesh<dim> &mesh, const CellNodes<dim> &cells) const;

  private:
    std::vector<Node>
    find_name(const std::string &name, const Mesh<dim> &mesh,
              const CellNodes<dim> &cells) const;

    std::string path;
    std::vector<std::string> names;        ///< of sets, or one formula
    std::vector<Expression<dim>> formulas; ///< one per name that is a formula
  };

  /// Returns the nodes of a set, as `NodeSelection::find` does.
  template <int dim>
  std::vector<typename NodeSelection<dim>::Node>
  nodes_of_set(const NodeSet &set, const Mesh<dim> &mesh,
               const CellNodes<dim> &cells);
} // namespace tessera
