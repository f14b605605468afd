#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/fem/distributed/cell_nodes.h>
#include <tessera/fem/fields/node_selection.h>
#include <tessera/fem/mesh/mesh.h>
#include <tessera/program/parameters.h>

#include <deal.II/lac/vector.h>

#include <functional>
#include <string>
#include <vector>

namespace tessera
{
  /// Forces at points or on selected nodes: the subsections `Loads/Point load
  /// 1`, `Point load 2`, ... Selected nodes have equal parts of a force. At a
  /// point a force acts on the nodes of the cell around its point by the shape
  /// functions there, so that the nodal forces have the sum and the moment of
  /// the force (a consistent load). At a node this is the force itself.
  template <int dim>
  class PointLoads
  {
  public:
    /// Declares the entries, which are the same for both dimensions.
    static void
    declare(Parameters &parameters);

    /// Reads the entries. Throws ParameterError if a point or a force has the
    /// wrong number of components or is not finite.
    explicit PointLoads(const Parameters &parameters);

    /// Adds the loads, [n_dofs]. `cells` has dim components. Throws
    /// ParameterError naming a point that is outside of the mesh by more than a
    /// quarter of a cell; a point on a curved boundary may be outside by less.
    /// If the mesh is divided, each process adds the loads on its own cells;
    /// all have to call this together. The owner of a selected node adds its
    /// load. Throws what `NodeSelection::check` throws.
    void
    add_to(dealii::Vector<double> &loads, const Mesh<dim> &mesh,
           const CellNodes<dim> &cells) const;

  private:
    struct OnNodes
    {
      NodeSelection<dim> nodes;
      std::vector<double> force; ///< [dim]
    };

    std::vector<std::string> sections;
    std::vector<dealii::Point<dim>> points;
    std::vector<double> forces; ///< [n_points][dim]
    std::vector<OnNodes> on_nodes;
  };
} // namespace tessera
