#pragma once

#include <tessera/fem/distributed/cell_nodes.h>
#include <tessera/fem/fields/derived_quantities.h>

#include <deal.II/base/point.h>

#include <deal.II/lac/vector.h>

#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tessera
{
  /// Finds the cells of a mesh that contain given points, and evaluates
  /// functions there.
  template <int dim>
  class PointLocator
  {
  public:
    /// Finds the cells among `cells`, which must live longer. A point counts as
    /// inside if it is outside of a cell by at most 1e-8 of the cell's size.
    /// The work is proportional to the number of cells times the logarithm of
    /// the number of points. If the mesh is divided, each process looks among
    /// its own cells, and all agree on the closest one; they have to call the
    /// functions below together.
    PointLocator(const CellNodes<dim> &cells,
                 const std::vector<dealii::Point<dim>> &points);

    /// Returns true if some cell contains the point.
    bool
    inside(const std::size_t point) const
    {
      return places[point].distance <= tolerance;
    }

    /// Returns true if the point is inside, or outside of a curved boundary by
    /// no more than twice the distance of its straight faces from the curve, as
    /// a point on a circle is outside of a polygon.
    bool
    near(const std::size_t point) const
    {
      return inside(point) || places[point].behind_curve;
    }

    /// Returns the cell with a point that is `near`.
    std::size_t
    cell(const std::size_t point) const
    {
      return places[point].cell;
    }

    /// Throws ParameterError unless the point is `near`, naming the entry of
    /// the parameter file and the distance from the mesh. If the point is not
    /// `inside`, prints the distance on `out`, if given.
    void
    check(std::size_t point, const std::string &entry,
          std::ostream *out = nullptr) const;

    /// Returns u_h, [n_points][n_components], at the points that are `near`,
    /// extrapolated from the cell if necessary, and NaN at the others. `u` has
    /// values at all nodes, [n_nodes][n_components] or [n_dofs].
    std::vector<double>
    values(const dealii::Vector<double> &u) const;

    /// Returns derived quantities, [n_points][n_columns], at the same points,
    /// with their values in the cell that contains the point. Between cells it
    /// is one of the cells.
    std::vector<double>
    values_in_cells(const DerivedQuantities<dim> &derived) const;

    /// Adds forces at points, [n_points][n_components], to the load vector
    /// `loads`, [n_dofs]: the products of the force at x with phi_i(x). Points
    /// that are not `near`, or whose cell another process has, are left out.
    void
    add_loads(const std::vector<double> &forces,
              dealii::Vector<double> &loads) const;

  private:
    static constexpr double tolerance = 1e-8;

    /// Lets all processes know how far each point is from the closest cell.
    void
    agree();

    /// Returns the point of the reference cell that a cell maps to a point, or
    /// nothing if Newton's method does not find it.
    std::optional<dealii::Point<dim>>
    in_reference_cell(std::size_t cell, const dealii::Point<dim> &point) const;

    /// Sets for points that are `near` their distances from their cells, and
    /// whether a curved boundary explains the distance.
    void
    measure_outside();

    /// Adds up the values of all processes, [n_points][n], and sets values at
    /// points that are not `near` to NaN.
    void
    share_values(std::vector<double> &values, std::size_t n) const;

    /// Calls visit(point, node, phi at the point) for all shape functions at
    /// the points that are `near` cells of this process.
    template <class Visit>
    void
    for_shape_values(const Visit &visit) const;

    struct Place
    {
      std::size_t cell = 0;
      dealii::Point<dim> point; ///< its image in the reference cell
      /// How far `point` is from the reference cell.
      double distance   = std::numeric_limits<double>::infinity();
      double length     = 0; ///< the distance from the cell itself
      bool behind_curve = false;
      bool is_local     = true; ///< the cell belongs to this process
    };

    const CellNodes<dim> &cells;
    std::vector<dealii::Point<dim>> points;
    std::vector<Place> places;
  };
} // namespace tessera
