#pragma once

#include <tessera/fem/bridge/flatten.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <algorithm>
#include <set>
#include <vector>

/// These loops visit the active cells of deal.II's meshes with all threads;
/// deal.II's own iterators visit the cells one after another.
namespace tessera
{
  namespace internal
  {
    template <class Iterator, int dim, class Data, class MakeVisit>
    void
    for_active_cells(const dealii::Triangulation<dim> &triangulation,
                     const Data *const data, const MakeVisit &make_visit)
    {
      using Raw = dealii::TriaRawIterator<typename Iterator::AccessorType>;
      const int n_levels = static_cast<int>(triangulation.n_levels());
#pragma omp parallel
      {
        auto visit = make_visit();
        for (int level = 0; level < n_levels; ++level)
          {
            const int n = static_cast<int>(triangulation.n_raw_cells(level));
#pragma omp for schedule(static) nowait
            for (int i = 0; i < n; ++i)
              {
                const Raw cell(&triangulation, level, i, data);
                if (cell->used() && cell->is_active())
                  visit(Iterator(&triangulation, level, i, data));
              }
          }
      }
    }
  } // namespace internal


  /// Calls visit(cell) for all active cells of a triangulation or a
  /// DoFHandler. Every thread makes its own `visit` by make_visit(), which
  /// must not throw.
  template <int dim, class MakeVisit>
  void
  for_active_cells(const dealii::Triangulation<dim> &triangulation,
                   const MakeVisit &make_visit)
  {
    internal::for_active_cells<
      typename dealii::Triangulation<dim>::active_cell_iterator>(
      triangulation, static_cast<const void *>(nullptr), make_visit);
  }

  template <int dim, class MakeVisit>
  void
  for_active_cells(const dealii::DoFHandler<dim> &dof_handler,
                   const MakeVisit &make_visit)
  {
    internal::for_active_cells<
      typename dealii::DoFHandler<dim>::active_cell_iterator>(
      dof_handler.get_triangulation(), &dof_handler, make_visit);
  }


  /// Returns the active cells with is_wanted(cell), in deal.II's order.
  template <class Mesh, class IsWanted>
  auto
  active_cells(const Mesh &mesh, const IsWanted &is_wanted)
  {
    using Iterator = typename Mesh::active_cell_iterator;
    std::vector<Iterator> result;
    for_active_cells(mesh, [&]() {
      return [&](const Iterator &cell) {
        if (is_wanted(cell))
#pragma omp critical(tessera_active_cells)
          result.push_back(cell);
      };
    });
    std::sort(result.begin(), result.end(),
              [](const Iterator &a, const Iterator &b) {
                return a->active_cell_index() < b->active_cell_index();
              });
    return result;
  }


  /// Returns true for a face between cells of two materials.
  template <class Cell>
  bool
  lies_between_materials(const Cell &cell, const unsigned int f)
  {
    return !cell->face(f)->at_boundary() &&
           cell->neighbor(f)->material_id() != cell->material_id();
  }


  /// Returns the active cells that have a face at the boundary.
  template <class Mesh>
  auto
  boundary_cells(const Mesh &mesh)
  {
    return active_cells(mesh,
                        [](const auto &cell) { return cell->at_boundary(); });
  }


  /// Returns true for a face at the boundary of the whole mesh.
  template <class Face>
  bool
  is_of_boundary(const Face &face)
  {
    return face->at_boundary() && face->boundary_id() != beyond_known_cells;
  }


  /// Returns the ids of the boundaries of the whole mesh.
  template <int dim>
  std::set<dealii::types::boundary_id>
  boundary_ids(const dealii::Triangulation<dim> &triangulation)
  {
    std::set<dealii::types::boundary_id> ids;
    for (const auto &cell : boundary_cells(triangulation))
      for (const auto &face : cell->face_iterators())
        if (is_of_boundary(face))
          ids.insert(face->boundary_id());
    return ids;
  }


  /// Returns false for artificial cells, which represent cells that this
  /// process does not know (`DistributedMesh`).
  template <class Cell>
  bool
  is_known(const Cell &cell)
  {
    return cell->subdomain_id() != dealii::numbers::artificial_subdomain_id;
  }


  template <int dim>
  std::set<dealii::types::material_id>
  material_ids(const dealii::Triangulation<dim> &triangulation)
  {
    using Ids = std::set<dealii::types::material_id>;
    Ids ids;
    for_active_cells(triangulation, [&ids]() {
      return [&ids, known = Ids()](const auto &cell) mutable {
        if (known.insert(cell->material_id()).second)
#pragma omp critical(tessera_active_cells)
          ids.insert(cell->material_id());
      };
    });
    return ids;
  }
} // namespace tessera
