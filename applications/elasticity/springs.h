#pragma once

#include <tessera/fem/fields/boundary_conditions.h>

// Boundaries that resist the displacement, sigma n + K (u - u0) = t: the
// conditions of the kind `robin_tensor`.
namespace tessera
{
  /// An elastic support at a point of a cell: the force is -stiffness u. For
  /// an elastic support of a face, give one for each of its corners or
  /// quadrature points. Here only the stiff directions count, not the amount
  /// of stiffness.
  template <int dim>
  struct Spring
  {
    dealii::Point<dim> point;
    dealii::SymmetricTensor<2, dim> stiffness; ///< positive semidefinite
    unsigned int cell; ///< the active cell index of a cell with the point
  };

  /// Returns the springs at the quadrature points of their faces, for
  /// `check_rigid_motions`; on a divided mesh, only the springs of own cells.
  /// Throws what `BoundaryConditions::faces` throws.
  template <int dim>
  std::vector<Spring<dim>>
  springs(const BoundaryConditions<dim> &boundary, const Mesh<dim> &mesh,
          const CellNodes<dim> &cells);

  /// Returns the names of the subsections with springs and their forces on the
  /// degrees of freedom, the integrals of K (u0 - u) . phi_i, [n_dofs], by
  /// deal.II's index. On a divided mesh only faces of own cells contribute.
  /// Throws what `BoundaryConditions::faces` throws.
  template <int dim>
  std::vector<std::pair<std::string, dealii::Vector<double>>>
  spring_forces(const BoundaryConditions<dim> &boundary, const Mesh<dim> &mesh,
                const CellNodes<dim> &cells, const dealii::Vector<double> &u);

  /// Returns bounds of the terms of `spring_forces` if the components of u are
  /// at most `largest_u`: the integrals of |K| (|u0| + largest_u) |phi_i|. The
  /// forces of a stiff spring are small differences of such terms.
  template <int dim>
  std::vector<dealii::Vector<double>>
  spring_sizes(const BoundaryConditions<dim> &boundary, const Mesh<dim> &mesh,
               const CellNodes<dim> &cells, double largest_u);
} // namespace tessera
