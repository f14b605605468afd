#pragma once

#include <tessera/space/connectivity.h>

#include <cstdint>

namespace tessera
{
  /// A rectangle of n_x by n_y quadrilaterals on [0, n_x/m] x [0, n_y/m],
  /// m = max(n_x, n_y), whose interior vertices are moved by up to
  /// `distortion` mesh widths in each direction, the same for the same seed.
  /// Degrees of freedom are lexicographic; all on the boundary are constrained
  /// if `dirichlet`. Cells go tile by tile of `tile_x` by `tile_y` cells (0:
  /// the whole width or height), lexicographic in a tile. `distortion` below
  /// 0.25 keeps every cell convex.
  struct GeneratedMesh
  {
    int n_x            = 1;
    int n_y            = 1;
    int degree         = 1;
    double distortion  = 0.2;
    std::uint64_t seed = 1;
    bool dirichlet     = true;
    int tile_x         = 0;
    int tile_y         = 1;
  };

  /// Throws ParameterError for counts below 1, a degree outside 1 to 4, a
  /// distortion outside [0, 0.25) or a count that does not fit 32 bits.
  Connectivity
  generate(const GeneratedMesh &parameters);
} // namespace tessera
