#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/fem/distributed/cell_nodes.h>
#include <tessera/fem/mesh/mesh.h>
#include <tessera/space/coefficient.h>
#include <tessera/space/space.h>
#include <tessera/space/stiffness.h>

#include <deal.II/base/point.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/lac/vector.h>

#include <array>
#include <string>
#include <vector>

namespace tessera
{
  /// A symmetric tensor of three dimensions: xx, yy, zz, xy, xz, yz. Shear
  /// strains are entries of the tensor: half of the change of angle. In a plane
  /// model xz and yz are 0.
  using SymmetricComponents = std::array<double, 6>;

  /// Returns the von Mises stress, which is sqrt(3) |tau| for a pure shear tau:
  ///   sqrt(((sx - sy)^2 + (sy - sz)^2 + (sz - sx)^2
  ///         + 6 (txy^2 + txz^2 + tyz^2)) / 2).
  /// LinLau2025, eq. (4), has the squares of shear stresses without the factor
  /// 3 that they have under the root.
  double
  von_mises(const SymmetricComponents &stress);

  /// Returns the principal stresses s1 >= s2 >= s3. If a component is not
  /// finite, they are not either.
  std::array<double, 3>
  principal_stresses(const SymmetricComponents &stress);

  /// Returns `StressProblem::across` for an isotropic material: for plane
  /// strain (lambda, lambda, lambda + 2 mu, 0, 0) with Lame's parameters, for
  /// plane stress (0, 0, 0, -nu / (1 - nu), -nu / (1 - nu)). Throws
  /// std::domain_error as `isotropic_stiffness` does.
  Coefficient
  isotropic_across(double young, double poisson, Plane plane);

  /// A displacement and the data from which its stresses are computed. The
  /// objects that the members refer to must live longer. The application
  /// chooses units: lengths of the mesh in m and a stiffness in Pa, for
  /// example, make stresses in Pa and energies in J (in two dimensions J/m).
  ///
  /// If a mesh is divided, extremes, the energy and means at nodes cover the
  /// whole body, so that all processes have to call `compute_stresses` and
  /// `nodal_stresses` together.
  template <int dim>
  struct StressProblem
  {
    const CellNodes<dim> &cells;     ///< with dim components
    const dealii::Vector<double> &u; ///< [n_dofs]
    /// This space has the same cells, or the cells of this process. For
    /// `internal_forces` it may have any of them.
    const Space &space;
    /// The entries of `Stiffness` in the order of `space`. For stresses at
    /// nodes they are replaced by the polynomial that fits their values at
    /// quadrature points best; like strains, it has one degree less than the
    /// displacement.
    const Coefficient &stiffness;
    /// What happens across the plane, in the order of `space`: the components
    /// are (c13, c23, c33, e13, e23), with which elastic strains have
    ///   sigma_zz = c13 eps_xx + c23 eps_yy + c33 eps_zz,
    ///   eps_zz   = e13 eps_xx + e23 eps_yy.
    /// For plane strain, the first three are entries of the stiffness in three
    /// dimensions, c33 > 0, and the last two are 0; for plane stress it is the
    /// reverse, with e13 = -C13 / C33 and e23 = -C23 / C33. It is not used in
    /// three dimensions.
    const Coefficient &across;
    /// The strain along the three axes that is free of stress, such as thermal
    /// strain, in the order of `space`, with three components; null if it is 0.
    /// Stresses and the energy follow from the elastic strain, which is the
    /// strain without it; strains that are returned contain it. At nodes it is
    /// fitted like the stiffness.
    const Coefficient *expansion = nullptr;
    /// True if the displacement belongs to `elasticity_b_bar`: strains, too,
    /// have volume strains that are projected on each cell, without expansion,
    /// and forces are tested by such. Means over a cell stay the means of
    /// the displacement.
    bool b_bar = false;
  };

  /// Averages over the volume of a cell, by `cell_quadrature`.
  template <int dim>
  struct CellStress
  {
    dealii::Point<dim> centre;
    double volume = 0; ///< in two dimensions the area
    SymmetricComponents strain{}, stress{};
    std::array<double, 3> principal{}; ///< of the mean stress, falling
    double von_mises = 0;              ///< of the mean stress
  };

  /// The largest or smallest value and the first place where it occurs.
  template <int dim>
  struct Extreme
  {
    double value;
    dealii::Point<dim> point;
  };

  template <int dim>
  struct Stresses
  {
    /// The cells of this process, [n_cells], in deal.II's order.
    std::vector<CellStress<dim>> cells;
    std::vector<unsigned int> active_index; ///< of these cells, [n_cells]
    /// The extremes over all quadrature points.
    Extreme<dim> largest_von_mises, largest_principal, smallest_principal;
    Extreme<dim> largest_displacement; ///< of |u| at all nodes
    double strain_energy; ///< (1/2) int sigma : eps, per unit of depth in 2-D
  };

  /// Computes strains and stresses of a displacement with all threads. The
  /// result does not depend on their number. Throws std::length_error if
  /// elements or coefficients have other numbers of components than
  /// `StressProblem` says or, of a mesh that is not divided, `space` does not
  /// have all cells (the functions below do the same), and Error if the energy
  /// is not finite.
  template <int dim>
  Stresses<dim>
  compute_stresses(const StressProblem<dim> &problem);

  /// Stresses at nodes, [n_nodes].
  struct NodalStresses
  {
    std::array<dealii::Vector<double>, 6> stress; ///< xx, yy, zz, xy, xz, yz
    dealii::Vector<double> von_mises;
  };

  /// Returns smoothed stresses at all nodes: the averages
  /// of the values that the cells at a node have there, weighted with their
  /// volumes. The von Mises stress is averaged, too; it is not computed from
  /// the average stress. Averages are also taken between different materials,
  /// where the true stress jumps: look at stresses of cells there. If the mesh
  /// is divided, values at nodes without a cell of this process are 0.
  template <int dim>
  NodalStresses
  nodal_stresses(const StressProblem<dim> &problem);

  /// Returns K u, the integrals of sigma(u) : eps(phi_i), [n_dofs]. With an
  /// `expansion`, these are forces of the elastic strain: for u = 0, minus the
  /// load by which the body expands. The quadrature rule is the form's, so that
  /// K u minus the load vector is the residual up to rounding at free degrees
  /// of freedom and the reaction at constrained ones. If `space` has a part of
  /// the cells, these are integrals over the part, and the forces of all parts
  /// add up to the forces of the mesh. Values at hanging nodes are not passed
  /// on to their parents.
  template <int dim>
  dealii::Vector<double>
  internal_forces(const StressProblem<dim> &problem);

  /// Writes a row for each cell with comma-separated columns: cell; x; y; z;
  /// material; volume; eps_xx, eps_yy, eps_zz, eps_xy, eps_xz, eps_yz; the same
  /// of sigma; sigma_1, sigma_2, sigma_3; von_mises. In two dimensions z, xz
  /// and yz are left out. Cells have their number in the whole mesh. Throws
  /// Error if the file cannot be written.
  template <int dim>
  void
  write_cell_stresses(const std::string &path, const Mesh<dim> &mesh,
                      const Stresses<dim> &stresses);
} // namespace tessera
