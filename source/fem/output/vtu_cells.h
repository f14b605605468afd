#pragma once

#include "vtu_file.h"

#include <tessera/base/parallel_vector.h>
#include <tessera/fem/output/solution_writer.h>

#include <deal.II/grid/reference_cell.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera
{
  /// A cell as a file shows it: the points in its reference cell, and the
  /// linear or quadratic parts between them.
  template <int dim>
  struct CellParts
  {
    std::vector<dealii::Point<dim>> points;
    std::uint8_t type;                   ///< VTK's number for the parts' type
    std::vector<std::vector<int>> parts; ///< places of points, in VTK's order

    /// Cuts lines, quadrilaterals and hexahedra into n parts a direction, whose
    /// points are in lexicographic order. Triangles and tetrahedra are linear
    /// for n = 1, else quadratic: corners, then the middles of the edges.
    CellParts(const dealii::ReferenceCell &cell, int n);
  };


  /// The cells of this process and their points in a file. Cells share points,
  /// unless a field may jump between them.
  template <int dim>
  class VtuCells
  {
  public:
    using Fields     = typename SolutionWriter<dim>::Fields;
    using NodalField = typename SolutionWriter<dim>::NodalField;

    /// Keeps references to its arguments. Throws ParameterError for 2^31 points
    /// or more.
    VtuCells(const CellNodes<dim> &cells, const Fields &fields,
             int subdivisions);

    /// Returns the cells with all fields and `material_id`; takes the points.
    VtuGrid
    grid() &&;

    /// Returns the faces of the boundary with `boundary_id`.
    VtuGrid
    boundary() const;

  private:
    const CellNodes<dim> &cells;
    const Fields &fields;
    std::vector<int> own; ///< the cells of this process; empty: all
    const dealii::ReferenceCell type;
    const int n_subdivisions;
    const CellParts<dim> cut;
    const std::size_t n_local; ///< points of a cell
    const std::size_t n_cells;
    /// The numbers of points, [n_cells][n_local], and how many there are; none
    /// if cells share none.
    std::vector<int> numbers;
    std::size_t n_numbers = 0;
    /// A shared point is computed in the first one of its cells, c, for which
    /// this is n_cells - c.
    std::vector<std::atomic<int>> owners;
    std::vector<double> points; ///< [n_points][3]

    std::size_t
    number(const std::size_t cell, const std::size_t i) const
    {
      const std::size_t place = cell * n_local + i;
      return owners.empty() ? place : numbers[place];
    }

    /// Returns a cell that is written.
    std::size_t
    cell(const std::size_t c) const
    {
      return own.empty() ? c : own[c];
    }

    /// Numbers the points of cells.
    void
    number_points();

    void
    find_owners();

    /// Calls visit(i, point) for the points that a cell owns.
    template <class Visit>
    void
    for_owned(const std::size_t cell, const Visit &visit) const
    {
      const int owner = static_cast<int>(n_cells - cell);
      for (std::size_t i = 0; i < n_local; ++i)
        if (const std::size_t point = number(cell, i);
            owners.empty() ||
            owners[point].load(std::memory_order_relaxed) == owner)
          visit(i, point);
    }

    /// Calls visit(cell) for all cells that own points. Every thread makes a
    /// `visit` of its own by make_visit(), and it must not throw.
    template <class MakeVisit>
    void
    for_owners(const MakeVisit &make_visit) const
    {
#pragma omp parallel
      {
        auto visit = make_visit();
#pragma omp for schedule(static)
        for (std::size_t c = 0; c < n_cells; ++c)
          {
            bool owns = false;
            for_owned(c, [&owns](std::size_t, std::size_t) { owns = true; });
            if (owns)
              visit(c);
          }
      }
    }

    VtuGrid::Field
    at_points(const NodalField &field) const;

    /// Returns fields that follow from the first nodal one.
    std::vector<VtuGrid::Field>
    derived(const PointFields<dim> &fields_at_points) const;

    /// Returns a field that has value(c, component) on all parts of cell c.
    template <class Value>
    VtuGrid::Field
    on_cells(const std::string &name, const int n_components,
             const Value &value) const
    {
      const std::size_t n_parts = cut.parts.size();
      VtuGrid::Field result{
        name, n_components,
        parallel_vector<double>(n_cells * n_parts * n_components)};
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < n_cells; ++c)
        for (int i = 0; i < n_components; ++i)
          {
            const double of_cell = value(c, i);
            for (std::size_t part = 0; part < n_parts; ++part)
              result.values[(c * n_parts + part) * n_components + i] = of_cell;
          }
      return result;
    }
  };
} // namespace tessera
