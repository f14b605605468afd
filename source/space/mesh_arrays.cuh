#pragma once

#include <tessera/base/for_each.h>
#include <tessera/space/mesh_arrays.h>

#include "mesh_cells.h"

namespace tessera::internal
{
  // Functors of `MeshArrays::check`. Item i that is bad sets bad[i] to n - i,
  // so that the largest value tells the first bad item of n.

  struct BadVertices
  {
    const double *points;
    int dim;
    const unsigned char *used; ///< null: is not looked at
    int *bad;
    int n;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      bool fine = used == nullptr || used[i] != 0;
      for (int d = 0; d < dim && used == nullptr; ++d)
        {
          const double x = points[i * dim + d];
          fine           = fine && x - x == 0; // neither infinite nor NaN
        }
      bad[i] = fine ? 0 : n - static_cast<int>(i);
    }
  };

  /// Corners that are out of range or equal; others are marked as used.
  struct BadCorners
  {
    const int *corners;
    int n_corners, n_vertices;
    unsigned char *used;
    int *bad;
    int n;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      const int *const corner = corners + cell * n_corners;
      bool fine               = true;
      for (int k = 0; k < n_corners; ++k)
        {
          fine = fine && corner[k] >= 0 && corner[k] < n_vertices;
          for (int j = 0; j < k; ++j)
            fine = fine && corner[j] != corner[k];
          if (fine)
            set_mark(used + corner[k]);
        }
      bad[cell] = fine ? 0 : n - static_cast<int>(cell);
    }
  };

  /// The Jacobians at the corners of cells.
  template <CellType type>
  struct CornerDeterminants
  {
    static constexpr int dim = MeshCell<type>::dim;
    const int *corners;
    const double *points;

    TESSERA_HOST_DEVICE double
    at_corner(const std::int64_t cell, const int v) const
    {
      const int *const corner = corners + cell * MeshCell<type>::n_corners;
      double j[dim][dim];
      for (int d = 0; d < dim; ++d)
        {
          const int low  = MeshCell<type>::simple ? 0 : v & ~(1 << d);
          const int high = MeshCell<type>::simple ? d + 1 : v | 1 << d;
          for (int x = 0; x < dim; ++x)
            j[x][d] = coordinate(corner[high], x) - coordinate(corner[low], x);
        }
      if constexpr (dim == 2)
        return j[0][0] * j[1][1] - j[0][1] * j[1][0];
      else
        return j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1]) -
               j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0]) +
               j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0]);
    }

    TESSERA_HOST_DEVICE double
    coordinate(const int vertex, const int x) const
    {
      return points[static_cast<std::int64_t>(vertex) * dim + x];
    }
  };

  template <CellType type>
  struct BadShapes
  {
    CornerDeterminants<type> determinants;
    int *bad;
    int n;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      bool fine = true;
      for (int v = 0;
           v < (MeshCell<type>::simple ? 1 : MeshCell<type>::n_corners); ++v)
        fine = fine && determinants.at_corner(cell, v) > 0;
      bad[cell] = fine ? 0 : n - static_cast<int>(cell);
    }
  };

  /// Faces of cells that more than two cells share, or that only one cell has
  /// and that no boundary face marks.
  struct BadFaces
  {
    const int *first;             ///< see EntityMatches
    const unsigned char *n_cells; ///< see EntityMatches
    const unsigned char *marks;   ///< null: looks for shared faces
    int *bad;
    int n;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t place) const
    {
      const int count = n_cells[first[place]];
      const bool is_bad =
        marks == nullptr ? count > 2 : count == 1 && marks[place] == 0;
      bad[place] = is_bad ? n - static_cast<int>(place) : 0;
    }
  };

  /// Boundary faces that are no face of a cell or a shared one; others are
  /// marked.
  struct BadBoundaryFaces
  {
    const MeshFace *boundary;
    int n_mesh_cells, faces_per_cell;
    const int *first;
    const unsigned char *n_cells;
    unsigned char *marks;
    int *bad;
    int n;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const MeshFace face = boundary[i];
      bool fine           = face.cell >= 0 && face.cell < n_mesh_cells &&
                  face.face >= 0 && face.face < faces_per_cell;
      if (fine)
        {
          const std::int64_t place =
            static_cast<std::int64_t>(face.cell) * faces_per_cell + face.face;
          fine = n_cells[first[place]] == 1;
          set_mark(marks + place);
        }
      bad[i] = fine ? 0 : n - static_cast<int>(i);
    }
  };
} // namespace tessera::internal
