#include "mesh_refinement.cuh"
#include "mesh_entities.h"

#include <tessera/base/parallel_vector.h>

#include "first_touch.h"

#include <algorithm>
#include <stdexcept>

namespace tessera::internal
{
  namespace
  {
    /// Collects the edges or faces at the boundary, whose middles are the
    /// vertices from `first` on, lets `move` move the middles, and writes them.
    template <CellType type, int d>
    void
    move_middles(const MeshArrays &mesh, const MeshEntities &entities,
                 const int first, Array<double> &points,
                 const MoveToBoundary &move)
    {
      using Part                = Parts<type, d>;
      constexpr std::size_t dim = dimension(type);
      const auto boundary       = mesh.boundary.to_vector();
      const auto of_cells       = entities.of_cells.to_vector();
      const auto place          = entities.place.to_vector();
      const auto corners        = mesh.corners.to_vector();
      auto all                  = points.to_vector();
      const int n_faces         = static_cast<int>(boundary.size());

      // Holds n_faces - f for the first boundary face f that has the entity.
      auto last = parallel_vector<int>(entities.n);
#pragma omp parallel for schedule(static)
      for (int f = 0; f < n_faces; ++f)
        for (int e = 0; e < Part::n; ++e)
          {
            int n_common = 0;
            for (int k = 0; k < Part::n_corners; ++k)
              for (int j = 0; j < Faces<type>::n_corners; ++j)
                n_common += Part::corner(e, k) ==
                            Faces<type>::corner(boundary[f].face, j);
            if (n_common == Part::n_corners)
              leave_larger(
                last[of_cells[boundary[f].cell * std::size_t(Part::n) + e]],
                n_faces - f);
          }
      std::vector<int> moved;
      for (int e = 0; e < entities.n; ++e)
        if (last[e] > 0)
          moved.push_back(e);

      NewBoundaryVertices fresh;
      fresh.dim           = dim;
      fresh.n_parents     = Part::n_corners;
      const auto n        = moved.size();
      fresh.parents       = parallel_vector<int>(n * Part::n_corners);
      fresh.parent_points = parallel_vector<double>(n * Part::n_corners * dim);
      fresh.ids           = parallel_vector<unsigned int>(n);
      fresh.points        = parallel_vector<double>(n * dim);
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < n; ++i)
        {
          const int e            = moved[i];
          fresh.ids[i]           = boundary[n_faces - last[e]].id;
          const std::size_t cell = place[e] / Part::n;
          for (std::size_t k = 0; k < Part::n_corners; ++k)
            {
              const std::size_t v =
                corners[cell * n_vertices(type) +
                        Part::corner(place[e] % Part::n, k)];
              const std::size_t to = i * Part::n_corners + k;
              fresh.parents[to]    = static_cast<int>(v);
              std::copy_n(&all[v * dim], dim, &fresh.parent_points[to * dim]);
            }
          std::copy_n(&all[(std::size_t(first) + e) * dim], dim,
                      &fresh.points[i * dim]);
        }
      move(fresh);
      if (fresh.points.size() != n * dim)
        throw std::length_error(
          "refine: the function that moves new vertices changed their number");
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < n; ++i)
        std::copy_n(&fresh.points[i * dim], dim,
                    &all[(std::size_t(first) + moved[i]) * dim]);
      points.copy_from(all);
    }

    template <CellType type>
    Array<double>
    finer_vertices(const MeshArrays &mesh, const MeshTopology &topology,
                   const ElementNodes &lattice, const MoveToBoundary &move)
    {
      constexpr int dim     = dimension(type);
      constexpr bool tensor = !is_simplex(type);
      const Backend backend = mesh.backend();
      const int first       = mesh.n_vertices();
      Array<double> points(backend, std::size_t(lattice.n_nodes) * dim);
      double *const x           = points.data();
      const int *const corners  = mesh.corners.data();
      const MeshEntities &edges = topology.edges, &faces = topology.faces;
      for_each(backend, first * std::int64_t(dim),
               CopyPoints{mesh.vertices.data(), x});
      for_each(
        backend, edges.n,
        MiddlesOfEntities<type, 1>{corners, edges.place.data(), x, first});
      if (move)
        move_middles<type, 1>(mesh, edges, first, points, move);
      if constexpr (tensor && dim == 3)
        {
          const int *const place = faces.place.data();
          const int next         = first + edges.n;
          if (move)
            {
              for_each(backend, faces.n,
                       MiddlesOfFaces{lattice.of_cells.data(), place, x, next});
              move_middles<type, 2>(mesh, faces, next, points, move);
            }
          else
            for_each(backend, faces.n,
                     MiddlesOfEntities<type, 2>{corners, place, x, next});
        }
      if constexpr (tensor)
        for_each(backend, mesh.n_cells(),
                 MiddlesOfCells<type>{lattice.of_cells.data(), x,
                                      static_cast<bool>(move)});
      return points;
    }

    template <CellType type>
    MeshArrays
    refine(const MeshArrays &mesh, const MoveToBoundary &move)
    {
      constexpr int dim     = dimension(type);
      const Backend backend = mesh.backend();
      const auto n_cells    = std::int64_t(mesh.n_cells()) << dim;
      const auto n_faces    = mesh.boundary.size() << (dim - 1);
      require_index(n_cells * n_vertices(type), "corners of finer cells");
      require_index(std::int64_t(n_faces), "boundary faces of finer cells");

      const MeshTopology topology = find_entities(mesh);
      const ElementNodes lattice  = number(mesh, topology, 2);
      MeshArrays result;
      result.cell_type = type;
      result.vertices  = finer_vertices<type>(mesh, topology, lattice, move);
      result.corners   = Array<int>(backend, n_cells * n_vertices(type));
      result.materials = Array<unsigned int>(backend, n_cells);
      result.numbers   = Array<std::int64_t>(backend, n_cells);
      result.boundary  = Array<MeshFace>(backend, n_faces);
      for_each(backend, mesh.n_cells(),
               MakeChildren<type>{lattice.of_cells.data(),
                                  result.vertices.data(), mesh.materials.data(),
                                  mesh.numbers.data(), result.corners.data(),
                                  result.materials.data(),
                                  result.numbers.data()});
      for_each(
        backend, static_cast<std::int64_t>(mesh.boundary.size()),
        MakeBoundary<type>{mesh.boundary.data(), result.boundary.data()});
      if (backend == Backend::cuda)
        runtime::synchronize({});
      return result;
    }
  } // namespace
} // namespace tessera::internal


namespace tessera
{
  MeshArrays
  refine(const MeshArrays &mesh, const MoveToBoundary &move)
  {
    MeshArrays result;
    internal::on_cell_type(mesh.cell_type, [&](const auto type) {
      result = internal::refine<static_cast<CellType>(decltype(type)::value)>(
        mesh, move);
    });
    return result;
  }
} // namespace tessera
