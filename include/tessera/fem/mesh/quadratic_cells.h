#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/space/mesh_arrays.h>

#include <deal.II/base/point.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/grid/tria.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tessera
{
  /// The coarsest cells of a mesh as images of the reference cell under
  /// polynomials of degree 2. Every finer cell has its part of the map, so that
  /// refinement keeps the shape of the mesh.
  template <int dim>
  class QuadraticCells
  {
  public:
    using Points = std::vector<dealii::Point<dim>>;
    using Cell   = typename dealii::Triangulation<dim>::cell_iterator;

    /// `nodes` are the images of the support points of `make_element(type, 2)`
    /// in every coarsest cell, [n_coarsest_cells][n_nodes].
    QuadraticCells(CellType type, Points nodes);

    /// Returns the nodes of a cell of any level.
    Points
    nodes_of(const Cell &cell) const;

    /// Returns the nodes of a coarsest cell.
    Points
    nodes_of(int coarsest) const;

    /// Returns the image of a point under the map of a coarsest cell.
    dealii::Point<dim>
    map(std::size_t coarsest, const dealii::Point<dim> &point) const;

    /// Moves the vertices of refined cells to their images under the maps of
    /// the coarsest cells. Call it after every refinement.
    void
    place_vertices(dealii::Triangulation<dim> &triangulation) const;

    /// Returns the maps of the cells of `finer`, which `refine` made from
    /// `mesh`. The maps of this object belong to the cells of `mesh`.
    QuadraticCells
    divided(const MeshArrays &mesh, const MeshArrays &finer) const;

    /// Moves the vertices of arrays to the images of the corners of cells. The
    /// maps of this object belong to these cells.
    void
    place_vertices(MeshArrays &mesh) const;

    /// Returns the support points of the element of degree 2.
    const Points &
    support_points() const
    {
      return support;
    }

    /// Returns the corners of a cell as points of the reference cell of its
    /// coarsest cell, whose number is stored in `coarsest`.
    Points
    corners_in_coarsest(Cell cell, std::size_t &coarsest) const;

  private:
    CellType type;
    Points support; ///< [n_nodes]
    Points nodes;   ///< [n_coarsest_cells][n_nodes]
  };

  /// Returns the map of all cells for deal.II. A cell with the user index i > 0
  /// has the map of cell i - 1 of `parts`, if they are given.
  template <int dim>
  std::unique_ptr<dealii::Mapping<dim>>
  make_mapping(const std::shared_ptr<const QuadraticCells<dim>> &cells,
               const std::shared_ptr<const QuadraticCells<dim>> &parts = {});
} // namespace tessera
