#pragma once

#include <tessera/space/connectivity.h>

#include <cstdint>

namespace tessera
{
  /// A grid of n_x by n_y (by n_z) boxes on [0, n_x/m] x [0, n_y/m]
  /// (x [0, n_z/m]), m the largest count, with cells of any type but lines: a
  /// box is one quadrilateral or hexahedron, two triangles or six tetrahedra
  /// around a diagonal, which box by box points another way, so that cells
  /// meet face by face. `n_z` is read in three dimensions alone.
  ///
  /// Interior vertices are moved by up to 2 `distortion` / dim mesh widths in
  /// each direction, the same for the same seed; `distortion` below 0.25
  /// keeps det J positive everywhere. Degrees of freedom are lexicographic on
  /// the grid of all nodes; all on the boundary are constrained if
  /// `dirichlet`. Boxes go tile by tile of `tile_x` by `tile_y` by `tile_z`
  /// boxes (0: the whole extent), lexicographic in a tile.
  struct GeneratedMesh
  {
    CellType cell_type = CellType::quadrilateral;
    int n_x            = 1;
    int n_y            = 1;
    int n_z            = 1;
    int degree         = 1;
    double distortion  = 0.2;
    std::uint64_t seed = 1;
    bool dirichlet     = true;
    int tile_x         = 0;
    int tile_y         = 1;
    int tile_z         = 1;
  };

  /// Throws ParameterError for lines, counts below 1, a degree that the cell
  /// type does not have, a distortion outside [0, 0.25) or a count that does
  /// not fit 32 bits.
  Connectivity
  generate(const GeneratedMesh &parameters);
} // namespace tessera
