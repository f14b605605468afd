#pragma once

#include <tessera/base/for_each.h>
#include <tessera/space/mesh_arrays.h>

#include "mesh_cells.h"

namespace tessera::internal
{
  /// Nodes of entities follow each other: `inner` nodes for each.
  struct NodesOfEntities
  {
    int first; ///< node of the first entity
    int inner; ///< nodes of an entity
    const int *of_cells;
  };

  /// Writes the nodes of a cell. Inner nodes of an edge go from its lower
  /// vertex to the higher one. Nodes of a quadrilateral face of a hexahedron
  /// have the lowest vertex as their origin, and the lower one of its two
  /// neighbours lies in the direction that is fastest.
  template <CellType type>
  struct NumberNodes
  {
    static constexpr int dim     = MeshCell<type>::dim;
    static constexpr int n_v     = MeshCell<type>::n_corners;
    static constexpr int n_edges = Parts<type, 1>::n;

    int degree, n; ///< nodes of a cell
    const int *corners;
    NodesOfEntities edges, faces, cells;
    int *nodes;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      const int *const corner = corners + cell * n_v;
      int *const to           = nodes + cell * n;
      if (MeshCell<type>::simple || degree == 1)
        {
          for (int v = 0; v < n_v; ++v)
            to[v] = corner[v];
          for (int e = 0; n_v + e < n; ++e)
            to[n_v + e] = edges.first + edges.of_cells[cell * n_edges + e];
        }
      else
        for (int i = 0; i < n; ++i)
          to[i] = node(cell, corner, i);
    }

  private:
    TESSERA_HOST_DEVICE int
    node(const std::int64_t cell, const int *const corner, const int i) const
    {
      const int p = degree;
      int rest = i, v = 0, inside = 0, n_inside = 0, at[dim];
      for (int d = 0; d < dim; ++d)
        {
          at[d] = rest % (p + 1);
          rest /= p + 1;
          if (at[d] == p)
            v |= 1 << d;
          else if (at[d] > 0)
            {
              inside |= 1 << d;
              ++n_inside;
            }
        }
      if (n_inside == 0)
        return corner[v];
      if (n_inside == dim)
        {
          int k = 0;
          for (int d = dim; d-- > 0;)
            k = k * (p - 1) + at[d] - 1;
          return cells.first + static_cast<int>(cell) * cells.inner + k;
        }
      int axis = 0;
      if (n_inside == 1)
        {
          while (inside >> axis != 1)
            ++axis;
          const bool turned = corner[v] > corner[v | 1 << axis];
          const int k       = turned ? p - 1 - at[axis] : at[axis] - 1;
          int edge          = 0;
          if constexpr (dim == 2)
            edge = 2 * (1 - axis) + (v >> (1 - axis) & 1);
          else
            edge = 4 * axis + (v >> other_axis(axis, 0) & 1) +
                   2 * (v >> other_axis(axis, 1) & 1);
          return edges.first +
                 edges.of_cells[cell * n_edges + edge] * edges.inner + k;
        }
      if constexpr (dim == 3)
        {
          while ((inside >> axis & 1) != 0)
            ++axis;
          return node_of_face(cell, corner, axis, v >> axis & 1, at);
        }
      return 0;
    }

    TESSERA_HOST_DEVICE int
    node_of_face(const std::int64_t cell, const int *const corner,
                 const int axis, const int side, const int (&at)[dim]) const
    {
      const int face = 2 * axis + side;
      int vertex[4], lowest = 0;
      for (int k = 0; k < 4; ++k)
        {
          vertex[k] = corner[Faces<type>::corner(face, k)];
          lowest    = vertex[k] < vertex[lowest] ? k : lowest;
        }
      int step[2];
      for (int k = 0; k < 2; ++k)
        {
          const int a = at[other_axis(axis, k)];
          step[k]     = (lowest >> k & 1) != 0 ? degree - 1 - a : a - 1;
        }
      const int fast = vertex[lowest ^ 1] < vertex[lowest ^ 2] ? 0 : 1;
      return faces.first +
             faces.of_cells[cell * Faces<type>::n + face] * faces.inner +
             step[1 - fast] * (degree - 1) + step[fast];
    }
  };

  /// Copies the nodes of a boundary face from its cell.
  template <CellType type>
  struct NodesOfFace
  {
    int degree, n_of_cell, n; ///< nodes of a cell and of a face
    const MeshFace *boundary;
    const int *of_cells;
    int *of_faces;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      using Face          = Faces<type>;
      const MeshFace face = boundary[i];
      const int *const from =
        of_cells + static_cast<std::int64_t>(face.cell) * n_of_cell;
      int *const to = of_faces + i * n;
      if constexpr (!MeshCell<type>::simple)
        {
          const int axis = face.face / 2, p = degree;
          for (int k = 0; k < n; ++k)
            {
              int stride = 1, place = 0, rest = k;
              for (int d = 0; d < MeshCell<type>::dim; ++d, stride *= p + 1)
                if (d == axis)
                  place += face.face % 2 * p * stride;
                else
                  {
                    place += rest % (p + 1) * stride;
                    rest /= p + 1;
                  }
              to[k] = from[place];
            }
        }
      else
        {
          constexpr int n_c = Face::n_corners;
          const auto edge   = [&](const int k) {
            return from[MeshCell<type>::n_corners +
                        edge_of_simplex(
                            Face::corner(face.face, k),
                            Face::corner(face.face, (k + 1) % n_c))];
          };
          for (int k = 0; k < n_c; ++k)
            to[k] = from[Face::corner(face.face, k)];
          if (degree == 2 && n_c == 3)
            for (int k = 0; k < n_c; ++k)
              to[n_c + k] = edge(k);
          else if (degree == 2) // a line: its nodes go from end to end
            {
              to[2] = to[1];
              to[1] = edge(0);
            }
        }
    }
  };

  /// Marks the nodes of a boundary face if its id is in the list.
  struct MarkNodes
  {
    const MeshFace *boundary;
    const unsigned int *ids;
    int n_ids;
    const int *of_faces;
    int n; ///< nodes of a face
    char *marks;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      bool wanted = false;
      for (int k = 0; k < n_ids; ++k)
        wanted = wanted || boundary[i].id == ids[k];
      for (int k = 0; wanted && k < n; ++k)
        set_mark(marks + of_faces[i * n + k]);
    }
  };
} // namespace tessera::internal
