#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/fem/bridge/mesh_arrays.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>

#include <vector>

namespace tessera
{
  /// The degrees of freedom of all cells of a problem, or of some of them, in
  /// the hands of deal.II. Where deal.II knows some cells alone, it numbers
  /// them and their degrees of freedom in its own way; `cell` and `dof` return
  /// the numbers in the whole problem. Faces beyond which are unknown cells
  /// have the boundary id `beyond_known_cells`. It keeps references.
  template <int dim>
  struct KnownDofs
  {
    /// All cells are known.
    KnownDofs(const dealii::DoFHandler<dim> &dof_handler)
      : dof_handler(dof_handler), n_dofs(dof_handler.n_dofs()),
        n_cells(dof_handler.get_triangulation().n_active_cells())
    {}

    KnownDofs(const dealii::DoFHandler<dim> &dof_handler,
              const std::vector<int> &dofs, const std::size_t n_dofs,
              const std::vector<int> &cells, const std::size_t n_cells)
      : dof_handler(dof_handler), n_dofs(n_dofs), n_cells(n_cells),
        dofs(dofs.data()), cells(cells.data())
    {}

    std::size_t
    dof(const std::size_t known) const
    {
      return dofs == nullptr ? known : dofs[known];
    }

    std::size_t
    cell(const std::size_t known) const
    {
      return cells == nullptr ? known : cells[known];
    }

    const dealii::DoFHandler<dim> &dof_handler;
    const std::size_t n_dofs, n_cells; ///< of the whole problem

  private:
    const int *dofs = nullptr, *cells = nullptr; ///< null: the same numbers
  };

  /// Returns for every degree of freedom of deal.II its number in the whole
  /// problem, node * n_components + component, [n_dofs]. `cells` are the
  /// numbers of deal.II's active cells in the arrays of a mesh; empty: the same
  /// ones. Throws std::logic_error if two of deal.II's have the same number.
  template <int dim>
  std::vector<int>
  numbers_of_dofs(const dealii::DoFHandler<dim> &dof_handler,
                  const ElementNodes &nodes,
                  const std::vector<int> &cells = {});

  /// Returns the cells of a mesh with a vertex at its boundary or of several
  /// materials.
  std::vector<int>
  cells_at_surfaces(const MeshArrays &mesh, const ElementNodes &nodes);

  /// The cells of a mesh that touch its boundary or a surface between two
  /// materials: all that deal.II has to know for boundary conditions, and for
  /// what flows through boundaries and surfaces.
  template <int dim>
  class BoundaryCells
  {
  public:
    /// `fe` is a Lagrange element or a system of equal ones, of the degree of
    /// the `nodes`. `triangulate` makes the triangulation of cells.
    BoundaryCells(const MeshArrays &mesh, const ElementNodes &nodes,
                  const dealii::FiniteElement<dim> &fe,
                  std::vector<int> at_surfaces,
                  const Triangulate<dim> &triangulate);

    BoundaryCells(const MeshArrays &mesh, const ElementNodes &nodes,
                  const dealii::FiniteElement<dim> &fe)
      : BoundaryCells(mesh, nodes, fe, cells_at_surfaces(mesh, nodes),
                      [&mesh](auto &part, const auto &cells) {
                        triangulate(part, mesh, cells);
                      })
    {}

    KnownDofs<dim>
    known() const
    {
      return {dof_handler, dofs, n_dofs, cells, n_cells};
    }

  private:
    dealii::Triangulation<dim> triangulation;
    dealii::DoFHandler<dim> dof_handler;
    std::size_t n_dofs, n_cells; ///< of the whole mesh
    std::vector<int> dofs, cells;
  };
} // namespace tessera
