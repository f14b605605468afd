#pragma once

#include <tessera/fem/distributed/cell_nodes.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <deal.II/lac/vector.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  /// Fields that are derived from a solution u at points of cells, such as its
  /// gradient. They may jump between cells.
  template <int dim>
  struct PointFields
  {
    /// A solution with n components at points of a cell.
    struct Solution
    {
      std::size_t cell = 0;
      std::vector<dealii::Point<dim>> points;
      std::vector<double> values;                    ///< [n_points][n]
      std::vector<dealii::Tensor<1, dim>> gradients; ///< [n_points][n]
    };

    /// Sets the numbers of all fields, one field after the other at each point:
    /// [n_points][numbers of a point].
    using Compute = std::function<void(const Solution &, double *numbers)>;

    /// The fields with their numbers of components, 1 or dim.
    std::vector<std::pair<std::string, int>> names;
    /// Makes a function for one thread. Threads call it at the same time.
    std::function<Compute()> make;
  };


  /// Numbers that are derived from a solution in each cell, such as its
  /// gradient or a stress. An application implements this class. It is asked
  /// for values in cells, which may jump between them, and for smoothed values.
  template <int dim>
  class DerivedQuantities
  {
  public:
    /// Sets values, [n_points][n_columns], at points of a cell of the solution.
    using AtPoints = std::function<void(std::size_t cell, double *values)>;

    virtual ~DerivedQuantities() = default;

    /// Returns the names of the numbers at a point, such as "gradient_x".
    virtual std::vector<std::string>
    columns() const = 0;

    /// Returns a function that computes the numbers at points of the reference
    /// cell, in cells of this process. Every thread needs its own function,
    /// which this object must outlive; threads may call this at the same time.
    virtual AtPoints
    at(const std::vector<dealii::Point<dim>> &points) const = 0;
  };

  /// Returns fields of the solution u, [n_dofs], as quantities; of dim numbers
  /// NAME, the columns are NAME_x, NAME_y and so on. Keeps references.
  template <int dim>
  std::unique_ptr<DerivedQuantities<dim>>
  quantities_of(const PointFields<dim> &fields, const CellNodes<dim> &cells,
                const dealii::Vector<double> &u);

  /// Returns smoothed quantities at all nodes, [n_columns][n_nodes]: averages
  /// of the values at a node in the cells around it, weighted with the volumes
  /// of the cells (areas in two dimensions). Quantities of a tensor, such as a
  /// von Mises stress, are averaged, too; they are not computed from the
  /// average tensor.
  ///
  /// All processes have to call this function, and values at nodes without a
  /// cell of this process are 0.
  template <int dim>
  std::vector<dealii::Vector<double>>
  smooth(const DerivedQuantities<dim> &derived, const CellNodes<dim> &cells);
} // namespace tessera
