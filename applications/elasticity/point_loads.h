#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/fem/distributed/division.h>
#include <tessera/program/parameters.h>
#include <tessera/fem/mesh/mesh.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/lac/vector.h>

#include <string>
#include <vector>

namespace tessera
{
  /// Forces at points: the subsections `Loads/Point load 1` to `Point load 8`.
  /// A force acts on the nodes of the cell around its point by the shape
  /// functions there, so that their sum and moment equal those of the force (a
  /// consistent load). At a node this is the force itself.
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

    /// Adds the loads, [n_dofs], indexed as by deal.II. `dof_handler` has dim
    /// components. Throws ParameterError naming a point that is outside of the
    /// mesh by more than a quarter of a cell; a point on a curved boundary may
    /// be outside by less. If the mesh is divided, each process adds the
    /// loads on its own cells; all have to call this together.
    void
    add_to(dealii::Vector<double> &loads, const Mesh<dim> &mesh,
           const dealii::Mapping<dim> &mapping,
           const dealii::DoFHandler<dim> &dof_handler,
           const Division *division = nullptr) const;

  private:
    std::vector<std::string> sections;
    std::vector<dealii::Point<dim>> points;
    std::vector<double> forces; ///< [n_points][dim]
  };
} // namespace tessera
