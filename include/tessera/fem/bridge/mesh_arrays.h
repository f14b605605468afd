#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/space/mesh_arrays.h>

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <numeric>
#include <vector>

namespace tessera
{
  /// Returns the active cells of a mesh as arrays of the host. Cells keep the
  /// order of the active cells, vertices the order of the triangulation without
  /// unused ones, and boundary faces follow their cells. Numbers in the whole
  /// mesh are deal.II's global indices of active cells. Throws MeshError for
  /// cells of several types and, unless they may hang, for hanging nodes.
  template <int dim>
  MeshArrays
  mesh_arrays(const dealii::Triangulation<dim> &triangulation,
              bool may_hang = false);

  /// Makes a triangulation of these cells of a mesh, in ascending order, or of
  /// all cells if none are given. Cells and vertices keep their order, and
  /// materials are kept. If all cells are there, boundary faces have their ids;
  /// otherwise the user index of a cell is its number in the mesh plus 1.
  template <int dim>
  void
  triangulate(dealii::Triangulation<dim> &triangulation, const MeshArrays &mesh,
              const std::vector<int> &cells = {});

  /// Makes a triangulation of some cells of a mesh, as `triangulate`, whose
  /// manifolds curve the cells as they curve the mesh.
  template <int dim>
  using Triangulate =
    std::function<void(dealii::Triangulation<dim> &, const std::vector<int> &)>;

  /// Calls visit(cell, number) for all cells of a mesh of `n_cells`.
  /// `triangulate` makes the cells part by part, with all threads; each part
  /// has its own `visit`, made by make_visit(). An exception of one of them is
  /// thrown when all have ended.
  template <int dim, class MakeVisit>
  void
  for_cells_of_parts(const Triangulate<dim> &triangulate, const int n_cells,
                     const MakeVisit &make_visit)
  {
    constexpr int at_once = 256;
    std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic)
    for (int first = 0; first < n_cells; first += at_once)
      try
        {
          std::vector<int> cells(std::min(at_once, n_cells - first));
          std::iota(cells.begin(), cells.end(), first);
          dealii::Triangulation<dim> part;
          triangulate(part, cells);
          auto visit = make_visit();
          for (const auto &cell : part.active_cell_iterators())
            visit(cell, first + cell->active_cell_index());
        }
      catch (...)
        {
#pragma omp critical(tessera_cells_of_parts)
          failure = std::current_exception();
        }
    if (failure)
      std::rethrow_exception(failure);
  }
} // namespace tessera
