#pragma once

#include <tessera/base/for_each.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/cells.cuh>

#include <limits>

namespace tessera::internal
{
  /// The sum counts the cells whose map is not linear. Moves the vertices.
  template <class Number>
  struct CountBentHexahedra : Pass
  {
    static constexpr int n_sums = 1;
    /// An entry of the map is a sum of up to eight coordinates. In float each
    /// of them is rounded once; in double a program may have made a few errors.
    static constexpr Number rounding =
      (sizeof(Number) == 8 ? 16 : 4) * std::numeric_limits<Number>::epsilon();

    CellView<Number> cells;

    TESSERA_HOST_DEVICE void
    operator()(std::int64_t, const Scalars &) const
    {}

    TESSERA_HOST_DEVICE double
    share(int, const std::int64_t i) const
    {
      const DeviceCell<Number> cell(cells, i);
      Number x[8][3];
      cell.vertices(cells, x);
      bool bent = false;
      for (int d = 0; d < 3; ++d)
        {
          Number f[n_map_entries], of_d[8], largest = Number(0);
          for (int v = 0; v < 8; ++v)
            {
              of_d[v]           = x[v][d];
              const Number size = of_d[v] < 0 ? -of_d[v] : of_d[v];
              largest           = size > largest ? size : largest;
            }
          trilinear_coefficients(of_d, f);
          for (const int e : {map_01, map_02, map_12, map_012})
            bent = bent ||
                   !(f[e] <= rounding * largest && -f[e] <= rounding * largest);
        }
      return bent ? 1. : 0.;
    }
  };
} // namespace tessera::internal
