#include "mesh_refinement.cuh"
#include "mesh_entities.h"

#include <tessera/base/parallel_vector.h>

namespace tessera::internal
{
  namespace
  {
    /// Returns the node of the lattice in the middle of entity e of a cell.
    template <CellType type, int d>
    int
    middle_of(const int e)
    {
      using Part = Parts<type, d>;
      if constexpr (MeshCell<type>::simple)
        return MeshCell<type>::n_corners +
               edge_of_simplex(Part::corner(e, 0), Part::corner(e, 1));
      int node = 0, stride = 1;
      for (int axis = 0; axis < MeshCell<type>::dim; ++axis, stride *= 3)
        {
          const int first = Part::corner(e, 0) >> axis & 1,
                    last  = Part::corner(e, Part::n_corners - 1) >> axis & 1;
          node += (first + last) * stride;
        }
      return node;
    }

    /// Lets `move` move the middles of all edges, of all faces or of all cells.
    template <CellType type, int d>
    void
    move_middles(const MeshEntities &entities, const ElementNodes &lattice,
                 Array<double> &points, const MoveVertices &move)
    {
      constexpr int size = MeshCell<type>::n_lattice;
      NewVertices fresh{type, d, {}, nullptr, nullptr};
      if constexpr (d == MeshCell<type>::dim)
        {
          const auto n = static_cast<std::int64_t>(lattice.of_cells.size());
          fresh.places = parallel_vector<std::int64_t>(n / size);
          for (std::int64_t c = 0; c < n / size; ++c)
            fresh.places[c] = c * size + size / 2;
        }
      else
        {
          const auto place = entities.place.to_vector();
          fresh.places     = parallel_vector<std::int64_t>(place.size());
#pragma omp parallel for schedule(static)
          for (std::size_t i = 0; i < place.size(); ++i)
            fresh.places[i] =
              place[i] / Parts<type, d>::n * std::int64_t(size) +
              middle_of<type, d>(place[i] % Parts<type, d>::n);
        }
      if (points.backend() == Backend::host)
        {
          fresh.lattice = lattice.of_cells.data();
          fresh.points  = points.data();
          return move(fresh);
        }
      const auto of_cells = lattice.of_cells.to_vector();
      auto all            = points.to_vector();
      fresh.lattice       = of_cells.data();
      fresh.points        = all.data();
      move(fresh);
      points.copy_from(all);
    }

    template <CellType type>
    Array<double>
    finer_vertices(const MeshArrays &mesh, const MeshTopology &topology,
                   const ElementNodes &lattice, const MoveVertices &move)
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
        move_middles<type, 1>(edges, lattice, points, move);
      if constexpr (tensor && dim == 3)
        {
          const int *const place = faces.place.data();
          const int next         = first + edges.n;
          if (move)
            {
              for_each(backend, faces.n,
                       MiddlesOfFaces{lattice.of_cells.data(), place, x, next});
              move_middles<type, 2>(faces, lattice, points, move);
            }
          else
            for_each(backend, faces.n,
                     MiddlesOfEntities<type, 2>{corners, place, x, next});
        }
      if constexpr (tensor)
        {
          for_each(backend, mesh.n_cells(),
                   MiddlesOfCells<type>{lattice.of_cells.data(), x,
                                        static_cast<bool>(move)});
          if (move)
            move_middles<type, dim>({}, lattice, points, move);
        }
      return points;
    }

    template <CellType type>
    MeshArrays
    refine(const MeshArrays &mesh, const MoveVertices &move)
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
  refine(const MeshArrays &mesh, const MoveVertices &move)
  {
    MeshArrays result;
    internal::on_cell_type(mesh.cell_type, [&](const auto type) {
      result = internal::refine<static_cast<CellType>(decltype(type)::value)>(
        mesh, move);
    });
    return result;
  }
} // namespace tessera
