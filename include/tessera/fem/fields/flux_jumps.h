#pragma once

#include <tessera/fem/distributed/division.h>

#include <deal.II/base/symmetric_tensor.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/lac/vector.h>

#include <functional>

namespace tessera
{
  /// Evaluates kappa in a cell at a point; every thread has its own object.
  template <int dim>
  using Conductivity = std::function<dealii::SymmetricTensor<2, dim>(
    const typename dealii::DoFHandler<dim>::active_cell_iterator &,
    const dealii::Point<dim> &)>;

  /// Returns the indicator of the error of u in every cell K, [n_active_cells],
  ///   eta_K^2 = h / 24 * integral over the faces of K of [kappa du/dn]^2,
  /// where h is the diameter of K and [.] the jump across faces inside of the
  /// mesh, for quadrilaterals and hexahedra; some may be divided once more than
  /// their neighbours. dealii::KellyErrorEstimator computes the same for a
  /// continuous coefficient; here each of the two cells has its own kappa, so
  /// that a flux that leaves one cell as it enters the other has no jump. If
  /// the mesh is divided, only the cells of this process are computed. Each
  /// thread calls `make_kappa`.
  template <int dim>
  dealii::Vector<float>
  flux_jumps(const dealii::Mapping<dim> &mapping,
             const dealii::DoFHandler<dim> &dof_handler,
             const dealii::Vector<double> &u,
             const std::function<Conductivity<dim>()> &make_kappa,
             const Division &division = {});
} // namespace tessera
