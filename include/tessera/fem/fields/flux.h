#pragma once

#include <tessera/fem/distributed/cell_nodes.h>
#include <tessera/fem/fields/integrals.h>
#include <tessera/space/boundary_faces.h>
#include <tessera/space/coefficient.h>
#include <tessera/space/space.h>

#include <deal.II/base/symmetric_tensor.h>

#include <deal.II/lac/vector.h>

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace tessera
{
  /// A discrete problem and its solution, from which fluxes are computed. The
  /// objects that its members refer to must live longer.
  template <int dim>
  struct FluxProblem
  {
    const CellNodes<dim> &cells;     ///< with one component
    const dealii::Vector<double> &u; ///< [n_dofs]
    const Space &space;
    const Coefficient &kappa, &source; ///< in the order of `space`, anywhere
    /// Neumann and Robin boundaries of the cells of this process.
    const BoundaryFaces &faces;
    std::set<dealii::types::boundary_id> dirichlet;
    /// Returns kappa at a point of a cell; all threads call it.
    std::function<dealii::SymmetricTensor<2, dim>(std::size_t cell,
                                                  const dealii::Point<dim> &)>
      kappa_at;
    /// A coefficient c and a field v, indexed as u.
    struct Mass
    {
      const Coefficient &c;
      dealii::Vector<double> v;
    };
    /// Terms c v on the left of the equation, such as a reaction and a rate.
    /// They are subtracted from `source`.
    std::vector<Mass> masses = {};
    bool hangs = false; ///< some nodes hang, in the cells of any process
    /// The condition that gives the value of a degree of freedom, or -1,
    /// [n_dofs], and the number of conditions, if values are given not only on
    /// Dirichlet boundaries.
    std::vector<int> holder = {};
    int n_holders           = 0;
  };

  /// Returns the integral of (kappa grad u) . n over each boundary of the mesh,
  /// where n points outwards. If u is a temperature, this is the heat that
  /// enters through the boundary per unit of time.
  ///
  /// On Neumann and Robin boundaries the flux is the integral of g - alpha u_h;
  /// on natural boundaries it is 0. On Dirichlet boundaries it is computed
  /// consistently, as the sum of r_i over the nodes i of the boundary: r_i is
  /// the integral of kappa grad u_h . grad phi_i - f phi_i over the domain (f
  /// less the terms of `masses`), minus the integral of (g - alpha u_h) phi_i
  /// over the faces at i that have such data. The sum over all boundaries is
  /// then minus the integral of f, up to the residual of the solver, and errors
  /// fall as h^(2p) if u is smooth. If a node belongs to several Dirichlet
  /// boundaries, each of them gets the integral of (kappa grad u_h) . n phi_i
  /// over its faces, and the remainder of r_i is shared in proportion to the
  /// areas of its faces at the node. The share of a hanging node goes to the
  /// nodes it is interpolated from.
  ///
  /// `at_nodes`, [n_holders], if given, becomes the sum of r_i over the nodes
  /// that a condition holds and that are on no Dirichlet boundary.
  template <int dim>
  std::map<dealii::types::boundary_id, double>
  boundary_fluxes(const FluxProblem<dim> &problem,
                  std::vector<double> *at_nodes = nullptr);

  /// Returns the integral of (kappa grad u) . n over each surface between two
  /// materials, where n points from the lower id to the higher one. If u is a
  /// temperature, this is the heat that enters the first material there per
  /// unit of time.
  ///
  /// It is computed as through Dirichlet boundaries, with r_i as an integral
  /// over the cells of the first material alone. `problem.faces` must know
  /// their cells. At a node of several surfaces of that material, among them
  /// Dirichlet boundaries, r_i is shared in the same way. Cells may be smaller
  /// on one side than on the other: the functions phi_i belong to nodes that do
  /// not hang and are continuous; restricted to the material, they make the
  /// same flux leave one material that enters the other.
  template <int dim>
  std::map<MaterialPair, double>
  interface_fluxes(const FluxProblem<dim> &problem);
} // namespace tessera
