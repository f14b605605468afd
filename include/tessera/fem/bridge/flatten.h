#pragma once

#include <tessera/fem/bridge/mesh_arrays.h>

#include <deal.II/base/quadrature.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe.h>
#include <deal.II/fe/mapping.h>

#include <deal.II/lac/affine_constraints.h>

#include <functional>
#include <memory>
#include <vector>

namespace tessera
{
  /// The boundary id of faces next to cells that this process does not know
  /// (`DistributedMesh`). They are not on the boundary of the mesh.
  constexpr dealii::types::boundary_id beyond_known_cells =
    dealii::numbers::internal_face_boundary_id - 1;

  /// The contents of a DoFHandler and its constraints as flat arrays. Cells
  /// keep the order of the active cells, and vertices keep the order of the
  /// triangulation without unused ones. Nodes with one component have the
  /// indices of deal.II's degrees of freedom; others have the indices of their
  /// first components, counted without gaps.
  ///
  /// If the arrays of a mesh were flattened, *deal.II's index* of a degree of
  /// freedom is node * n_components + component, here and wherever it is
  /// mentioned; a DoFHandler of that mesh gets the same indices
  /// (`numbers_of_dofs`).
  struct FlatProblem
  {
    Connectivity connectivity;
    /// deal.II's index of the components of every node, [n_dofs][n_components];
    /// empty if it equals the node's index.
    std::vector<int> dofs;
    /// The given part of each degree of freedom, by deal.II's index: the
    /// boundary value if it is constrained, the inhomogeneity if it hangs,
    /// otherwise 0.
    std::vector<double> boundary_values;
  };

  /// Returns the Lagrange element of a cell type: FE_Q or FE_SimplexP. Throws
  /// ParameterError for a degree without kernels.
  template <int dim>
  std::unique_ptr<dealii::FiniteElement<dim>>
  make_element(CellType type, int degree);

  /// Returns for every node in the order of `CellType` its position in
  /// deal.II's local order, [n]. No other function depends on both
  /// orders.
  template <int dim>
  std::vector<unsigned int>
  to_local_order(CellType type, int degree);

  /// Returns the rule of `cell_rule` as a deal.II quadrature; `dim` is the
  /// dimension of the type, 1 to 3.
  template <int dim>
  dealii::Quadrature<dim>
  cell_quadrature(CellType type, int degree);

  /// Returns the type of all cells of a mesh; for an empty mesh it is
  /// quadrilateral or hexahedron. Throws MeshError if types are mixed.
  template <int dim>
  CellType
  cell_type_of(const dealii::Triangulation<dim> &triangulation);

  /// Converts a problem to flat arrays. `dof_handler` must have one element of
  /// `make_element`, or an FESystem of up to three of them. A line of
  /// `constraints`, which must be closed, prescribes a value or interpolates a
  /// hanging node from others. Jacobians and points are taken from `mapping` if
  /// the geometry is `quadrature`. Throws ParameterError for another element,
  /// and MeshError for a node that is interpolated in some components and free
  /// in the others. `build_space` checks the rest by `Connectivity::check`.
  template <int dim>
  FlatProblem
  flatten(const dealii::Mapping<dim> &mapping,
          const dealii::DoFHandler<dim> &dof_handler,
          const dealii::AffineConstraints<double> &constraints,
          Geometry geometry = Geometry::vertices);

  /// Does the same for the arrays of a mesh without hanging nodes. Component c
  /// of node i has the index i n_components + c of a degree of freedom, also in
  /// `constraints`. If the geometry is `quadrature`, Jacobians and points are
  /// taken from `mapping` on a triangulation with the same cells in the same
  /// order, which `triangulation` returns; or, if it returns null, on
  /// triangulations of some cells, which `triangulate` makes in all threads.
  template <int dim>
  FlatProblem
  flatten(
    const MeshArrays &mesh, const ElementNodes &nodes, int n_components,
    const dealii::AffineConstraints<double> &constraints, Geometry geometry,
    const dealii::Mapping<dim> &mapping,
    const std::function<const dealii::Triangulation<dim> *()> &triangulation,
    const Triangulate<dim> &triangulate);
} // namespace tessera
