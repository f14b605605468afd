#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/fem/distributed/division.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/lac/vector.h>

#include <functional>
#include <string>
#include <vector>

namespace tessera
{
  /// Numbers that follow from a solution in each cell, such as its gradient or
  /// a stress. An application implements this class, and is then asked for
  /// values in cells, which may jump between them, and for smoothed ones.
  template <int dim>
  class DerivedQuantities
  {
  public:
    using Cell = typename dealii::DoFHandler<dim>::active_cell_iterator;

    /// Sets values, [n_points][n_columns], at points of a cell of the solution.
    using AtPoints = std::function<void(const Cell &, double *values)>;

    virtual ~DerivedQuantities() = default;

    /// Returns the names of the numbers at a point, such as "gradient_x".
    virtual std::vector<std::string>
    columns() const = 0;

    /// Returns what computes the numbers at points of the reference cell, in
    /// cells of this process. Every thread needs one of its own, which this
    /// object must outlive; threads may call this function at the same time.
    virtual AtPoints
    at(const std::vector<dealii::Point<dim>> &points) const = 0;
  };

  /// Returns smoothed quantities at the nodes of `nodes`, [n_columns][n_nodes]:
  /// the averages of the values that the cells at a node have there, weighted
  /// with the volumes of the cells (areas in two dimensions). What is derived
  /// from a tensor, such as a von Mises stress, is averaged, too; it is not
  /// computed from the average tensor.
  ///
  /// `dof_handler` belongs to the solution, and `nodes` has one component of
  /// its element on the same mesh; std::length_error is thrown if not. If the
  /// mesh is divided, `dofs` says how the degrees of freedom of the solution
  /// are shared, all processes have to call this function, and values at nodes
  /// without a cell of this process are 0.
  template <int dim>
  std::vector<dealii::Vector<double>>
  smooth(const DerivedQuantities<dim> &derived,
         const dealii::Mapping<dim> &mapping,
         const dealii::DoFHandler<dim> &dof_handler,
         const dealii::DoFHandler<dim> &nodes,
         const Division *division = nullptr, const MeshNodes *dofs = nullptr);
} // namespace tessera
