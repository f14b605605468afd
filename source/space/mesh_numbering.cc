#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>

#include "mesh_entities.h"
#include "mesh_numbering.cuh"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace tessera
{
  namespace internal
  {
    namespace
    {
      template <CellType type>
      void
      set_nodes(const MeshArrays &mesh, const MeshTopology &topology,
                ElementNodes &nodes)
      {
        const Backend backend = mesh.backend();
        const int p = nodes.degree, n_cells = mesh.n_cells();
        const std::int64_t of_edge = p - 1,
                           of_face = is_simplex(type) ? 0 : (p - 1) * (p - 1),
                           of_cell =
                             dimension(type) == 2 ? of_face : (p - 1) * of_face;
        const bool solid         = dimension(type) == 3;
        const std::int64_t edges = mesh.n_vertices();
        const std::int64_t faces = edges + of_edge * topology.edges.n;
        const std::int64_t cells =
          faces + (solid ? of_face * topology.faces.n : 0);
        const std::int64_t n = cells + of_cell * n_cells;
        require_index(n, "nodes", std::numeric_limits<int>::max());
        require_index(n_cells * std::int64_t(n_nodes(type, p)),
                      "nodes of cells");
        nodes.n_nodes  = static_cast<int>(n);
        nodes.of_cells = Array<int>(
          backend, n_cells * static_cast<std::size_t>(n_nodes(type, p)));
        const auto of = [](const std::int64_t first, const std::int64_t inner,
                           const Array<int> &of_cells) {
          return NodesOfEntities{static_cast<int>(first),
                                 static_cast<int>(inner), of_cells.data()};
        };
        for_each(backend, n_cells,
                 NumberNodes<type>{p, n_nodes(type, p), mesh.corners.data(),
                                   of(edges, of_edge, topology.edges.of_cells),
                                   of(faces, of_face, topology.faces.of_cells),
                                   of(cells, of_cell, {}),
                                   nodes.of_cells.data()});
        nodes.of_faces = Array<int>(
          backend, mesh.boundary.size() *
                     static_cast<std::size_t>(n_nodes(face_type(type), p)));
        for_each(backend, static_cast<std::int64_t>(mesh.boundary.size()),
                 NodesOfFace<type>{p, n_nodes(type, p),
                                   n_nodes(face_type(type), p),
                                   mesh.boundary.data(), nodes.of_cells.data(),
                                   nodes.of_faces.data()});
        if (backend == Backend::cuda)
          runtime::synchronize({});
      }

      /// Returns a copy as a vector, which all threads make.
      template <class T>
      std::vector<T>
      to_host(const Array<T> &values)
      {
        if (values.backend() == Backend::cuda)
          return values.to_vector();
        auto result       = parallel_vector<T>(values.size());
        const T *const of = values.data();
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < result.size(); ++i)
          result[i] = of[i];
        return result;
      }
    } // namespace


    ElementNodes
    number(const MeshArrays &mesh, const MeshTopology &topology,
           const int degree)
    {
      ElementNodes nodes;
      nodes.degree = degree;
      on_cell_type(mesh.cell_type, [&](const auto type) {
        set_nodes<static_cast<CellType>(decltype(type)::value)>(mesh, topology,
                                                                nodes);
      });
      return nodes;
    }
  } // namespace internal


  namespace
  {
    ElementNodes
    number_up_to(const int highest, const MeshArrays &mesh, const int degree)
    {
      if (degree < 1 || degree > highest)
        throw ParameterError("The degree is " + std::to_string(degree) +
                             ", legal are 1 to " + std::to_string(highest) +
                             ".");
      return internal::number(mesh,
                              degree == 1 ? internal::MeshTopology()
                                          : internal::find_entities(mesh),
                              degree);
    }
  } // namespace


  ElementNodes
  number(const MeshArrays &mesh, const int degree)
  {
    return number_up_to(max_degree(mesh.cell_type), mesh, degree);
  }


  ElementNodes
  number_parts(const MeshArrays &mesh, const int n)
  {
    return number_up_to(is_simplex(mesh.cell_type) ? 2 : 64, mesh, n);
  }


  Array<char>
  nodes_on_boundaries(const MeshArrays &mesh, const ElementNodes &nodes,
                      const std::vector<unsigned int> &ids)
  {
    const Backend backend = mesh.backend();
    Array<char> marks(backend, nodes.n_nodes);
    const Array<unsigned int> wanted(backend, ids);
    for_each(backend, static_cast<std::int64_t>(mesh.boundary.size()),
             internal::MarkNodes{
               mesh.boundary.data(), wanted.data(),
               static_cast<int>(ids.size()), nodes.of_faces.data(),
               n_nodes(face_type(mesh.cell_type), nodes.degree), marks.data()});
    if (backend == Backend::cuda)
      runtime::synchronize({});
    return marks;
  }


  Connectivity
  connectivity(const MeshArrays &mesh, const ElementNodes &nodes,
               std::vector<char> constrained, const int n_components)
  {
    Connectivity result;
    result.cell_type     = mesh.cell_type;
    result.degree        = nodes.degree;
    result.n_components  = n_components;
    result.n_dofs        = nodes.n_nodes;
    result.n_vertices    = mesh.n_vertices();
    result.cell_dofs     = internal::to_host(nodes.of_cells);
    result.cell_vertices = internal::to_host(mesh.corners);
    result.vertices      = internal::to_host(mesh.vertices);
    result.constrained   = std::move(constrained);
    return result;
  }


  BoundaryFaces
  boundary_faces(const MeshArrays &mesh, const ElementNodes &nodes,
                 const std::vector<unsigned int> &ids)
  {
    BoundaryFaces result;
    result.face_type      = face_type(mesh.cell_type);
    result.degree         = nodes.degree;
    const std::size_t n   = n_nodes(result.face_type, result.degree);
    const auto boundary   = mesh.boundary.to_vector();
    const auto face_nodes = nodes.of_faces.to_vector();
    for (std::size_t f = 0; f < boundary.size(); ++f)
      if (std::find(ids.begin(), ids.end(), boundary[f].id) != ids.end())
        {
          result.boundary_ids.push_back(boundary[f].id);
          result.cells.push_back(boundary[f].cell);
          result.dofs.insert(result.dofs.end(), face_nodes.begin() + n * f,
                             face_nodes.begin() + n * (f + 1));
        }
    return result;
  }
} // namespace tessera
