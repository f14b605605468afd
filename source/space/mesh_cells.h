#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/on_constant.h>
#include <tessera/space/cell_type.h>

// What a cell of a mesh consists of, for both backends. See `MeshArrays` for
// the numbers of faces.
namespace tessera::internal
{
  /// Calls f(std::integral_constant<int, type>()) for the type of a cell.
  template <class F>
  void
  on_cell_type(const CellType type, const F &f)
  {
    on_constant<int(CellType::quadrilateral), int(CellType::hexahedron),
                int(CellType::triangle), int(CellType::tetrahedron)>(int(type),
                                                                     f);
  }

  /// Sets a mark. Several threads may set the same one at the same time.
  template <class Byte>
  TESSERA_HOST_DEVICE void
  set_mark(Byte *const mark)
  {
#ifdef __CUDA_ARCH__
    *mark = 1;
#else
    __atomic_store_n(mark, Byte(1), __ATOMIC_RELAXED);
#endif
  }

  /// Returns axis k among those other than d, in three dimensions.
  TESSERA_HOST_DEVICE constexpr int
  other_axis(const int d, const int k)
  {
    return k == 0 ? (d == 0 ? 1 : 0) : (d == 2 ? 1 : 2);
  }

  /// Constants of a cell type. The functions of cell_type.h are the host's.
  template <CellType type>
  struct MeshCell
  {
    static constexpr int dim        = dimension(type);
    static constexpr bool simple    = is_simplex(type);
    static constexpr int n_corners  = n_vertices(type);
    static constexpr int n_children = 1 << dim;
    static constexpr int n_lattice  = n_nodes(type, 2); ///< nodes of degree 2
  };

  /// The edges (d = 1) or faces (d = 2) of a cell; in two dimensions, the edges
  /// are its faces. Edge 4a + b of a hexahedron is parallel to axis a, and the
  /// bits of b are its other coordinates in their order.
  template <CellType type, int d>
  struct Parts
  {
    static constexpr int dim     = MeshCell<type>::dim;
    static constexpr bool simple = MeshCell<type>::simple;
    /// Entities of a cell.
    static constexpr int n         = d == 1 ? (dim == 2 ? n_vertices(type)
                                               : simple ? 6
                                                        : 12)
                                            : (simple ? 4 : 6);
    static constexpr int n_corners = d == 1 ? 2 : simple ? 3 : 4;

    /// Returns the corner of the cell that is corner k of entity e.
    TESSERA_HOST_DEVICE static constexpr int
    corner(const int e, const int k)
    {
      if constexpr (simple && d == 1)
        {
          constexpr int corners[6][2] = {{0, 1}, {1, 2}, {2, 0},
                                         {0, 3}, {1, 3}, {2, 3}};
          return corners[e][k];
        }
      else if constexpr (simple)
        {
          constexpr int corners[4][3] = {
            {0, 1, 2}, {1, 0, 3}, {0, 2, 3}, {2, 1, 3}};
          return corners[e][k];
        }
      else if constexpr (dim == 2)
        return e / 2 == 0 ? e % 2 + 2 * k : 2 * (e % 2) + k;
      else
        {
          const int axis  = d == 1 ? e / 4 : e / 2;
          const int along = d == 1 ? k : e % 2, across = d == 1 ? e % 4 : k;
          return (along << axis) | ((across & 1) << other_axis(axis, 0)) |
                 ((across >> 1) << other_axis(axis, 1));
        }
    }
  };

  template <CellType type>
  using Faces = Parts<type, dimension(type) - 1>;

  /// Returns the edge of a triangle or tetrahedron between two corners.
  TESSERA_HOST_DEVICE constexpr int
  edge_of_simplex(const int a, const int b)
  {
    const int low = a < b ? a : b, high = a < b ? b : a;
    if (high == 3)
      return 3 + low;
    return high == 1 ? 0 : low == 1 ? 1 : 2;
  }
} // namespace tessera::internal
