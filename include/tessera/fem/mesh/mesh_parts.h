#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/space/cell_type.h>

#include <deal.II/base/point.h>

#include <strings.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

// The parts of a mesh, and their names.
namespace tessera
{
  /// The names of groups of faces or cells, and the ids that each name
  /// represents.
  using GroupNames = std::map<std::string, std::set<unsigned int>>;

  /// A set of nodes that a file names, as the vertices and edges of the
  /// coarsest cells that make it up.
  struct NodeSet
  {
    std::vector<unsigned int> vertices;
    /// Edges. The set has all nodes on them, and on their parts if they are
    /// divided.
    std::vector<std::array<unsigned int, 2>> edges;
    /// True if the nodes on an edge, on a face and in a cell belong to the set
    /// when all of its vertices do.
    bool fills = false;

    template <class Archive>
    void
    serialize(Archive &archive, const unsigned int /*version*/)
    {
      archive &vertices &edges &fills;
    }
  };

  using NodeSets = std::map<std::string, NodeSet>;

  /// Returns the part of this name, or the only one that differs from it
  /// only in letter case (Abaqus ignores case), or null if there is
  /// none.
  template <class T>
  const T *
  find_name(const std::map<std::string, T> &named, const std::string &name)
  {
    if (const auto exact = named.find(name); exact != named.end())
      return &exact->second;
    const T *found = nullptr;
    for (const auto &[known, thing] : named)
      if (strcasecmp(known.c_str(), name.c_str()) == 0)
        {
          if (found != nullptr)
            return nullptr;
          found = &thing;
        }
    return found;
  }

  /// The bodies of a mesh: cells that are connected through faces. Bodies that
  /// share only edges or corners are hinged there.
  template <int dim>
  struct Bodies
  {
    /// The body of a cell, [n_active_cells]. Bodies are counted from 0 in the
    /// order of the coarsest cells, so that all processes that share a mesh
    /// give them the same numbers.
    std::vector<int> of_cell;
    /// The connected part of the mesh that a body belongs to, [n_bodies],
    /// counted in the same way.
    std::vector<int> part;
    /// The vertices of the coarsest cells that several bodies share, with these
    /// bodies in ascending order.
    std::vector<std::pair<dealii::Point<dim>, std::vector<int>>> joints;
  };

  template <int dim>
  struct Mesh;

  /// The coarsest cells of a mesh.
  template <int dim>
  struct CoarsestCells
  {
    explicit CoarsestCells(const Mesh<dim> &mesh);

    CellType type = CellType::quadrilateral;
    std::size_t n_corners;            ///< of a cell
    std::vector<int> corners;         ///< vertices, [n_cells][n_corners]
    const double *vertices = nullptr; ///< [n_vertices][dim]
    std::size_t n_vertices = 0;
    /// The coarsest cell that contains each cell of `Mesh::coarser`, and the
    /// number of cells of the mesh in such a cell.
    std::vector<int> coarsest_of;
    std::size_t n_parts;

    std::size_t
    size() const
    {
      return corners.size() / n_corners;
    }

    /// Returns the value of the coarsest cell for each cell of the mesh.
    std::vector<int>
    of_cells(const std::vector<int> &values) const;

    dealii::Point<dim>
    vertex(const int v) const
    {
      dealii::Point<dim> point;
      std::copy_n(vertices + std::size_t(v) * dim, dim, point.begin_raw());
      return point;
    }
  };
} // namespace tessera
