#pragma once

#include <tessera/base/for_each.h>
#include <tessera/space/mesh_arrays.h>

#include "../base/rounded_product.h"
#include "mesh_cells.h"

namespace tessera::internal
{
  /// Writes the means of the corners of entities. A sum of two or four numbers
  /// times a power of two has the same bits on both backends.
  template <CellType type, int d>
  struct MiddlesOfEntities
  {
    static constexpr int dim = MeshCell<type>::dim;
    const int *corners; ///< of cells
    const int *place;   ///< a cell and its entity
    double *points;     ///< of all vertices
    int first;          ///< the vertex of the first entity

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      constexpr int n          = Parts<type, d>::n;
      constexpr int n_c        = Parts<type, d>::n_corners;
      const std::int64_t cell  = place[i] / n;
      const int entity         = place[i] % n;
      const int *const of_cell = corners + cell * MeshCell<type>::n_corners;
      for (int x = 0; x < dim; ++x)
        {
          double sum = 0;
          for (int k = 0; k < n_c; ++k)
            sum += points[static_cast<std::int64_t>(
                            of_cell[Parts<type, d>::corner(entity, k)]) *
                            dim +
                          x];
          points[(first + i) * dim + x] = sum * (1. / n_c);
        }
    }
  };

  /// The middles of quadrilaterals or hexahedra, from the means of corners or
  /// from the middles of edges and faces around them.
  template <CellType type>
  struct MiddlesOfCells
  {
    static constexpr int dim = MeshCell<type>::dim;
    const int *lattice; ///< vertices of the cells of degree 2, [n_cells][3^dim]
    double *points;
    bool transfinite;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      constexpr int n        = MeshCell<type>::n_lattice;
      const int *const nodes = lattice + cell * n;
      for (int x = 0; x < dim; ++x)
        {
          double sums[dim] = {}; // over corners and, if needed, edges, faces
          for (int i = 0; i < n; ++i)
            {
              const int inside =
                (i % 3 == 1) + (i / 3 % 3 == 1) + (i / 9 % 3 == 1);
              if (inside < (transfinite ? dim : 1))
                sums[inside] +=
                  points[static_cast<std::int64_t>(nodes[i]) * dim + x];
            }
          double middle = sums[0] / MeshCell<type>::n_corners;
          if constexpr (dim == 2)
            {
              if (transfinite)
                middle = 0.5 * sums[1] - 0.25 * sums[0];
            }
          else if (transfinite)
            middle = 0.125 * sums[0] - 0.25 * sums[1] + 0.5 * sums[2];
          points[static_cast<std::int64_t>(nodes[n / 2]) * dim + x] = middle;
        }
    }
  };

  /// The middles of the faces of hexahedra by transfinite interpolation.
  struct MiddlesOfFaces
  {
    const int *lattice; ///< vertices of the cells of degree 2, [n_cells][27]
    const int *place;
    double *points;
    int first;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const std::int64_t cell = place[i] / 6;
      const int axis = place[i] % 6 / 2, side = place[i] % 2;
      constexpr int stride[] = {1, 3, 9};
      const int from         = 2 * side * stride[axis];
      const int a            = stride[other_axis(axis, 0)];
      const int b            = stride[other_axis(axis, 1)];
      for (int x = 0; x < 3; ++x)
        {
          const auto at = [&](const int ka, const int kb) {
            return points[static_cast<std::int64_t>(
                            lattice[cell * 27 + from + ka * a + kb * b]) *
                            3 +
                          x];
          };
          points[(first + i) * 3 + x] =
            0.5 * (at(1, 0) + at(0, 1) + at(2, 1) + at(1, 2)) -
            0.25 * (at(0, 0) + at(2, 0) + at(0, 2) + at(2, 2));
        }
    }
  };

  /// Writes the corners, material and number of the children of a cell.
  template <CellType type>
  struct MakeChildren
  {
    static constexpr int dim        = MeshCell<type>::dim;
    static constexpr int n_v        = MeshCell<type>::n_corners;
    static constexpr int n_children = MeshCell<type>::n_children;

    const int *lattice; ///< vertices of the cells of degree 2
    const double *points;
    const unsigned int *parent_materials;
    const std::int64_t *parent_numbers;
    int *corners;
    unsigned int *materials;
    std::int64_t *numbers;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      const int *const nodes   = lattice + cell * MeshCell<type>::n_lattice;
      const std::int64_t first = cell * n_children;
      int *const to            = corners + first * n_v;
      for (int k = 0; k < n_children; ++k)
        {
          materials[first + k] = parent_materials[cell];
          numbers[first + k]   = parent_numbers[cell] * n_children + k;
        }
      if constexpr (!MeshCell<type>::simple)
        for (int k = 0; k < n_children; ++k)
          for (int v = 0; v < n_v; ++v)
            {
              int place = 0, stride = 1;
              for (int d = 0; d < dim; ++d, stride *= 3)
                place += ((k >> d & 1) + (v >> d & 1)) * stride;
              to[k * n_v + v] = nodes[place];
            }
      else
        {
          const auto middle = [&](const int a, const int b) {
            return a == b ? nodes[a] : nodes[n_v + edge_of_simplex(a, b)];
          };
          for (int k = 0; k < n_v; ++k)
            for (int v = 0; v < n_v; ++v)
              to[k * n_v + v] = middle(k, v);
          if constexpr (dim == 2)
            for (int v = 0; v < 3; ++v) // as deal.II has it
              to[9 + v] = middle(v, (v + 1) % 3);
          else
            divide_octahedron(nodes, to + 16);
        }
    }

  private:
    /// Child f touches face f, where corner 3 - f is not. There the child has
    /// the end of the diagonal that is not on the face. Its other corners turn
    /// as its parent's corners do, and the other end is at corner 0 if this one
    /// is at 2 and so on, so that the edges 02 and 13 have the diagonal.
    TESSERA_HOST_DEVICE void
    divide_octahedron(const int *const nodes, int *const to) const
    {
      constexpr int ends[3][2] = {{2, 4}, {0, 5}, {1, 3}};
      int best                 = 0;
      double shortest          = 0;
      for (int k = 0; k < 3; ++k)
        {
          double square = 0;
          for (int d = 0; d < dim; ++d)
            {
              const double x = coordinate(nodes[4 + ends[k][0]], d) -
                               coordinate(nodes[4 + ends[k][1]], d);
              square += rounded_product(x, x);
            }
          if (k == 0 || square < shortest * (1 - 1e-12))
            {
              best     = k;
              shortest = square;
            }
        }
      for (int f = 0; f < 4; ++f)
        {
          const int apex = 3 - f;
          int corner[3], n = 0; // of the face
          for (int v = 0; v < 4; ++v)
            if (v != apex)
              corner[n++] = v;
          // The middle of the edge opposite to corner[k] goes to
          // corner[(k + turn) % 3].
          int turn     = 0, edge[3];
          bool on_face = false; // the first end of the diagonal
          for (int k = 0; k < 3; ++k)
            {
              edge[k] =
                edge_of_simplex(corner[(k + 1) % 3], corner[(k + 2) % 3]);
              on_face = on_face || edge[k] == ends[best][0];
            }
          for (int k = 0; k < 3; ++k)
            for (int j = 0; j < 3; ++j)
              if (edge[k] == ends[best][on_face ? 0 : 1] &&
                  corner[j] == (apex ^ 2))
                turn = (j - k + 3) % 3;
          for (int k = 0; k < 3; ++k)
            to[4 * f + corner[(k + turn) % 3]] = nodes[4 + edge[k]];
          to[4 * f + apex] = nodes[4 + ends[best][on_face ? 1 : 0]];
        }
    }

    TESSERA_HOST_DEVICE double
    coordinate(const int vertex, const int d) const
    {
      return points[static_cast<std::int64_t>(vertex) * dim + d];
    }
  };

  /// Writes the children of a boundary face.
  template <CellType type>
  struct MakeBoundary
  {
    static constexpr int dim        = MeshCell<type>::dim;
    static constexpr int n_children = 1 << (dim - 1);
    const MeshFace *parents;
    MeshFace *children;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const MeshFace face = parents[i];
      for (int k = 0; k < n_children; ++k)
        {
          int child = 0;
          if constexpr (!MeshCell<type>::simple) // those at the corners of the
                                                 // face
            child = Faces<type>::corner(face.face, k);
          else
            child = k < dim ? Faces<type>::corner(face.face, k) : 4 + face.face;
          children[i * n_children + k] = {(face.cell << dim) + child, face.face,
                                          face.id};
        }
    }
  };

  struct CopyPoints
  {
    const double *from;
    double *to;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      to[i] = from[i];
    }
  };
} // namespace tessera::internal
