#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/forms/coefficient.h>
#include <tessera/space/boundary_faces.h>
#include <tessera/space/space.h>

#include <deal.II/base/symmetric_tensor.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/lac/vector.h>

#include <functional>
#include <map>
#include <set>

namespace tessera
{
  /// A discrete problem and its solution, from which fluxes are computed.
  template <int dim>
  struct FluxProblem
  {
    const dealii::Mapping<dim> &mapping;
    const dealii::DoFHandler<dim> &dof_handler;
    const dealii::Vector<double> &u; ///< by deal.II's index
    const Space &space;
    const Coefficient &kappa, &source; ///< on the cells of `space`
    const BoundaryFaces &faces;        ///< of Neumann and Robin boundaries
    std::set<dealii::types::boundary_id> dirichlet;
    /// kappa at a point of a cell.
    std::function<dealii::SymmetricTensor<2, dim>(
      const typename dealii::Triangulation<dim>::active_cell_iterator &,
      const dealii::Point<dim> &)>
      kappa_at;
  };

  /// The integral of (kappa grad u) . n over each boundary of the mesh, n
  /// pointing outwards: what enters through it if u is a temperature.
  ///
  /// On Neumann and Robin boundaries this is the integral of g - alpha u_h, on
  /// natural ones 0. On Dirichlet boundaries it is consistent: the sum over
  /// their nodes i of r_i = integral of kappa grad u_h . grad phi_i - f phi_i
  /// over the domain, minus the integral of g - alpha u_h times phi_i over
  /// faces at i with such data. Then the sum over all boundaries is minus the
  /// integral of f, up to what the solver leaves, and errors fall as h^(2p)
  /// where u is smooth. At a node of several Dirichlet boundaries each one gets
  /// the integral of (kappa grad u_h) . n phi_i over its faces, and what
  /// remains of r_i in proportion to the areas of its faces there.
  template <int dim>
  std::map<dealii::types::boundary_id, double>
  boundary_fluxes(const FluxProblem<dim> &problem);
} // namespace tessera
