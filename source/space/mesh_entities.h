#pragma once

#include <tessera/base/algorithms.h>
#include <tessera/space/mesh_arrays.h>

#include <cstdint>
#include <string>

namespace tessera::internal
{
  /// Says which edges or faces of cells are the same one. Entity e of cell c
  /// stands at c n + e, where a cell has n entities.
  struct EntityMatches
  {
    /// The first place of the same entity, [n_cells][n].
    Array<int> first;
    /// How many cells have an entity, at its first place, [n_cells][n]; 255
    /// stands for 255 or more.
    Array<unsigned char> n_cells;
  };

  /// The edges or faces of a mesh. They are numbered in the order in which
  /// cells meet them.
  struct MeshEntities
  {
    int n = 0;
    Array<int> of_cells; ///< [n_cells][entities of a cell]
    Array<int> place;    ///< the first place of each entity, [n]
  };

  /// Compares the entities of dimension d, 1 or 2, of all cells: entities with
  /// the same lowest corner are neighbours in a list, and are compared there.
  /// The corners must be in range. Throws MeshError for 2^31 entities of cells.
  EntityMatches
  match_entities(const MeshArrays &mesh, int d);

  MeshEntities
  number_entities(const MeshArrays &mesh, int d);

  /// Edges and, in three dimensions, faces.
  struct MeshTopology
  {
    MeshEntities edges, faces;
  };

  MeshTopology
  find_entities(const MeshArrays &mesh);

  /// Returns the nodes of elements of a degree, whose edges and faces are
  /// known. Entities are needed for degrees above 1.
  ElementNodes
  number(const MeshArrays &mesh, const MeshTopology &topology, int degree);

  /// Returns value i of an array.
  template <class T>
  T
  entry(const Array<T> &values, const std::int64_t i)
  {
    if (values.backend() == Backend::host)
      return values.data()[i];
    T result;
    runtime::copy(&result, values.data() + i, sizeof(T),
                  runtime::Copy::device_to_host);
    return result;
  }

  /// Throws MeshError if `n` is not below `end`, at most 2^31.
  void
  require_index(std::int64_t n, const std::string &what,
                std::int64_t end = std::int64_t(1) << 31);
} // namespace tessera::internal
