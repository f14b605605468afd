#include "mesh_entities.h"

#include <tessera/base/error.h>

#include "mesh_entities.cuh"

namespace tessera::internal
{
  namespace
  {
    template <CellType type, int d>
    EntityMatches
    match(const MeshArrays &mesh)
    {
      const Backend backend = mesh.backend();
      const auto n          = mesh.n_cells() * std::int64_t(Parts<type, d>::n);
      require_index(n, d == 1 ? "edges of cells" : "faces of cells");
      const EntitiesOfCells<type, d> entities{mesh.corners.data()};
      EntityMatches result{Array<int>(backend, n),
                           Array<unsigned char>(backend, n)};
      for_each(backend, n,
               LowestCorner<type, d>{entities, result.first.data()});
      auto list =
        algorithms::group(backend, result.first.data(), n, mesh.n_vertices());
      const MatchEntities<type, d> match_at{
        entities, list.start.data(), list.items.data(), result.first.data(),
        result.n_cells.data()};
      if (backend == Backend::cuda)
        for_each(backend, mesh.n_vertices(), match_at);
      else // vertices of coarse meshes, which come first, have most entities
#pragma omp parallel for schedule(dynamic, 512) if (n > entries_of_one_thread)
        for (int vertex = 0; vertex < mesh.n_vertices(); ++vertex)
          match_at(vertex);
      if (backend == Backend::cuda)
        runtime::synchronize({});
      return result;
    }
  } // namespace


  void
  require_index(const std::int64_t n, const std::string &what,
                const std::int64_t end)
  {
    if (n >= end)
      throw MeshError("The mesh has " + std::to_string(n) + ' ' + what +
                      ", legal are fewer than " + std::to_string(end) + ".");
  }


  EntityMatches
  match_entities(const MeshArrays &mesh, const int d)
  {
    EntityMatches result;
    on_cell_type(mesh.cell_type, [&](const auto constant) {
      constexpr auto type = static_cast<CellType>(decltype(constant)::value);
      if constexpr (dimension(type) == 3)
        if (d == 2)
          {
            result = match<type, 2>(mesh);
            return;
          }
      result = match<type, 1>(mesh);
    });
    return result;
  }


  MeshEntities
  number_entities(const MeshArrays &mesh, const int d)
  {
    const Backend backend       = mesh.backend();
    const int n_cells           = mesh.n_cells();
    const EntityMatches matches = match_entities(mesh, d);
    const auto n = static_cast<int>(matches.first.size() / n_cells);
    Array<int> count(backend, n_cells);
    for_each(backend, n_cells,
             CountFirsts{matches.first.data(), n, count.data()});
    Array<std::int64_t> start(backend, std::size_t(n_cells) + 1);
    algorithms::exclusive_scan(backend, count.data(), start.data(), n_cells);
    MeshEntities result;
    result.n        = static_cast<int>(entry(start, n_cells));
    result.of_cells = Array<int>(backend, matches.first.size());
    result.place    = Array<int>(backend, result.n);
    for_each(backend, n_cells,
             NumberEntities{matches.first.data(), n, start.data(),
                            result.of_cells.data(), result.place.data()});
    if (backend == Backend::cuda)
      runtime::synchronize({});
    return result;
  }


  MeshTopology
  find_entities(const MeshArrays &mesh)
  {
    MeshTopology result{number_entities(mesh, 1), {}};
    if (mesh.dim() == 3)
      result.faces = number_entities(mesh, 2);
    return result;
  }
} // namespace tessera::internal
