#pragma once

#include <tessera/space/connectivity.h>

#include <cstdint>

namespace tessera
{
  /// Describes a grid of n_x by n_y (by n_z) boxes on [0, n_x/m] x [0, n_y/m]
  /// (x [0, n_z/m]), where m is the largest of these counts. Cells can be of
  /// any type but lines: a box becomes one quadrilateral or hexahedron, two
  /// triangles, or six tetrahedra around a diagonal. The direction of the
  /// diagonal alternates from box to box, so that cells meet face to face.
  /// `n_z` is ignored in two dimensions.
  ///
  /// Interior vertices are moved in each direction by up to
  /// 2 `distortion` / dim mesh widths; the same seed gives the same mesh. A
  /// `distortion` below 0.25 keeps det J positive everywhere. Degrees of
  /// freedom are numbered lexicographically on the grid of all nodes; if
  /// `dirichlet` is true, boundary nodes are constrained. Boxes are visited in
  /// tiles of `tile_x` by `tile_y` by `tile_z` boxes, in lexicographic order
  /// within a tile; 0 means the whole extent.
  ///
  /// A process that needs only a piece of the mesh can make some layers of
  /// boxes in the last direction. They equal layers of the whole mesh, with its
  /// constrained nodes and moved vertices, and are numbered from 0 in its
  /// order: if tiles are one layer of boxes thick, the index of a cell, vertex
  /// or node is its index in the whole mesh minus the number of earlier ones.
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
    int first_layer    = 0;
    int n_layers       = 0; ///< 0: all from the first one on
  };

  /// Makes the mesh. Throws ParameterError for lines, for counts below 1, for a
  /// degree that the cell type does not have, for a distortion outside
  /// [0, 0.25), for layers that the grid does not have, and for counts that do
  /// not fit 32 bits.
  Connectivity
  generate(const GeneratedMesh &parameters);
} // namespace tessera
