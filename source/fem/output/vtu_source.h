#pragma once

#include <tessera/fem/output/solution_writer.h>

#include <deal.II/fe/fe.h>

#include <deal.II/grid/reference_cell.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace tessera
{
  /// The cells of a mesh that this process writes, and the nodes of fields on
  /// them (`WrittenCells`): what `VtuCells` needs of deal.II's objects or of
  /// arrays. Cells have
  /// the numbers 0 to n_cells() - 1 here.
  template <int dim>
  class VtuSource
  {
  public:
    using NodalField = typename SolutionWriter<dim>::NodalField;
    using Solution   = typename PointFields<dim>::Solution;

    /// Points of cells, which have one number if cells share them.
    struct Numbers
    {
      std::vector<int> of_cells; ///< [n_cells][points of a cell]
      std::size_t n = 0;
    };

    /// Sets the places of a cell's nodes among the values of a field,
    /// [n_components][n] in deal.II's order.
    using ReadNodes = std::function<void(std::size_t cell, std::size_t *)>;

    /// Computes a solution at points of a cell.
    using Read = std::function<void(std::size_t cell, Solution &)>;

    virtual ~VtuSource() = default;

    virtual dealii::ReferenceCell
    type() const = 0;

    virtual std::size_t
    n_cells() const = 0;

    /// Returns the index of a cell among all active cells.
    virtual unsigned int
    active_index(std::size_t cell) const = 0;

    virtual unsigned int
    material(std::size_t cell) const = 0;

    /// Returns the faces of these cells at the boundary.
    virtual std::vector<MeshFace>
    boundary() const = 0;

    /// Numbers the points that cut cells into `n` equal parts a direction, in
    /// the order of `CellParts`. Fields may have their nodes there.
    virtual Numbers
    number_points(int n, const std::vector<NodalField> &fields) const = 0;

    virtual int
    n_components(const NodalField &field) const = 0;

    /// Returns the element of one component.
    virtual const dealii::FiniteElement<dim> &
    element(const NodalField &field) const = 0;

    /// Every thread needs what this function and the next one return.
    virtual ReadNodes
    nodes(const NodalField &field) const = 0;

    /// Returns a function that maps `points` of the reference cell to a cell,
    /// and evaluates `u` and its gradient there unless `u` is null.
    virtual Read
    at(const std::vector<dealii::Point<dim>> &points,
       const NodalField *u) const = 0;
  };


  /// Returns the place of a point among others.
  template <int dim>
  int
  place_of(const dealii::Point<dim> &point,
           const std::vector<dealii::Point<dim>> &points);
} // namespace tessera
