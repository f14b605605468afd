#pragma once

#include "vtu_file.h"
#include <tessera/fem/bridge/active_cells.h>

#include <tessera/fem/output/solution_writer.h>

#include <deal.II/fe/fe.h>

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
    std::uint8_t type;                   ///< VTK's number of that of the parts
    std::vector<std::vector<int>> parts; ///< places of points, in VTK's order

    /// Cuts lines, quadrilaterals and hexahedra into n parts a direction, whose
    /// points are in lexicographic order. Triangles and tetrahedra are linear
    /// for n = 1, else quadratic: corners, then the middles of the edges.
    CellParts(const dealii::ReferenceCell &cell, int n);
  };


  /// The cells of a mesh and their points in a file; of a mesh that is divided,
  /// those of this process. Cells share points, unless a field may jump between
  /// them.
  template <int dim>
  class VtuCells
  {
  public:
    using Fields     = typename SolutionWriter<dim>::Fields;
    using NodalField = typename SolutionWriter<dim>::NodalField;

    /// Keeps references to its arguments.
    VtuCells(const dealii::Mapping<dim> &mapping,
             const dealii::DoFHandler<dim> &dof_handler, const Fields &fields,
             int subdivisions, const Division *division = nullptr);

    /// Returns the cells with all fields and `material_id`.
    VtuGrid
    grid() const;

    /// Returns the faces of the boundary with `boundary_id`.
    VtuGrid
    boundary() const;

  private:
    const dealii::Mapping<dim> &mapping;
    const dealii::DoFHandler<dim> &dof_handler;
    const Fields &fields;
    const dealii::Triangulation<dim> &triangulation;
    const dealii::ReferenceCell type;
    const int n_subdivisions;
    const CellParts<dim> cut;
    const std::size_t n_local;       ///< points of a cell
    std::vector<unsigned int> cells; ///< of deal.II, [n_cells]
    std::vector<int> index;          ///< of deal.II's cells among these, or -1
    std::vector<int> numbers;        ///< of the points, [n_cells][n_local]
    /// The place in `numbers` that a point is computed at, [n_points].
    std::vector<std::size_t> owners;
    std::vector<double> points; ///< [n_points][3]

    const dealii::DoFHandler<dim> &
    dofs_of(const NodalField &field) const
    {
      return field.dof_handler ? *field.dof_handler : dof_handler;
    }

    /// Sets `numbers` and returns the number of points.
    std::size_t
    number_points(const dealii::FiniteElement<dim> &fe);

    /// Calls visit(i, point) for the points that a cell of deal.II owns.
    template <class Visit>
    void
    for_owned(const std::size_t cell_index, const Visit &visit) const
    {
      for (std::size_t i = 0; i < n_local && index[cell_index] >= 0; ++i)
        {
          const std::size_t place = index[cell_index] * n_local + i;
          if (owners[numbers[place]] == place)
            visit(i, static_cast<std::size_t>(numbers[place]));
        }
    }

    bool
    owns_points(const std::size_t cell_index) const
    {
      bool result = false;
      for_owned(cell_index,
                [&result](std::size_t, std::size_t) { result = true; });
      return result;
    }

    VtuGrid::Field
    at_points(const NodalField &field) const;

    /// Returns what the postprocessors of `fields.derived` make of the first
    /// nodal field; neighbours of one name are the components of a vector.
    std::vector<VtuGrid::Field>
    derived() const;

    /// Returns a field that has value(c, component) on all parts of deal.II's
    /// cell c.
    template <class Value>
    VtuGrid::Field
    on_cells(const std::string &name, const int n_components,
             const Value &value) const
    {
      const std::size_t n_parts = cut.parts.size(), n_cells = cells.size();
      VtuGrid::Field result{
        name, n_components,
        std::vector<double>(n_cells * n_parts * n_components)};
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < n_cells; ++c)
        for (std::size_t part = 0; part < n_parts; ++part)
          for (int i = 0; i < n_components; ++i)
            result.values[(c * n_parts + part) * n_components + i] =
              value(cells[c], i);
      return result;
    }
  };
} // namespace tessera
