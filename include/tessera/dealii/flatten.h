#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/space/connectivity.h>

#include <deal.II/base/quadrature.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe.h>
#include <deal.II/fe/mapping.h>

#include <deal.II/lac/affine_constraints.h>

#include <memory>
#include <vector>

namespace tessera
{
  /// What a DoFHandler and its constraints say, as flat arrays. Degrees of
  /// freedom keep deal.II's indices, cells their active order, vertices that
  /// of the triangulation.
  struct FlatProblem
  {
    Connectivity connectivity;
    /// [n_dofs]: the value of a constrained degree of freedom, else 0.
    std::vector<double> boundary_values;
  };

  /// The Lagrange element of a cell type: FE_Q or FE_SimplexP. Throws
  /// ParameterError for a degree that there are no kernels for.
  template <int dim>
  std::unique_ptr<dealii::FiniteElement<dim>>
  make_element(CellType type, int degree);

  /// Position in deal.II's local order of every node in the order of
  /// `CellType`: [n]. The only place where the two orders meet.
  template <int dim>
  std::vector<unsigned int>
  to_local_order(CellType type, int degree);

  /// The rule of `cell_rule`, as deal.II knows it; `dim` is the dimension of
  /// the type, 1 to 3.
  template <int dim>
  dealii::Quadrature<dim>
  cell_quadrature(CellType type, int degree);

  /// The cell type of a mesh whose cells are all of one type; those of an empty
  /// mesh are tensor products. Throws MeshError where types are mixed.
  template <int dim>
  CellType
  cell_type_of(const dealii::Triangulation<dim> &triangulation);

  /// `dof_handler` has one element of `make_element`, the lines of
  /// `constraints` are values alone; `mapping` is asked for Jacobians and
  /// points where the geometry is `quadrature`. Throws MeshError for a
  /// constraint that couples degrees of freedom (a hanging node); what
  /// `Connectivity::check` finds is left to `build_space`.
  template <int dim>
  FlatProblem
  flatten(const dealii::Mapping<dim> &mapping,
          const dealii::DoFHandler<dim> &dof_handler,
          const dealii::AffineConstraints<double> &constraints,
          Geometry geometry = Geometry::vertices);
} // namespace tessera
