#include "keys.h"
#include "numbering.h"

#include <tessera/base/parallel_vector.h>
#include <tessera/base/sorted_positions.h>
#include <tessera/space/coloring.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace tessera::internal
{
  namespace
  {
    /// Returns `key(point)` for every cell, where `point` is the point of a
    /// grid at the cell's centre. The grid has size[d] points in direction d.
    template <class Key>
    std::vector<std::uint64_t>
    keys_of_centers(const Connectivity &mesh, const Point &low,
                    const Point &spacing, const GridPoint &size, const Key &key)
    {
      const int n = mesh.n_cells(), dim = mesh.dim();
      auto keys = parallel_vector<std::uint64_t>(n);
#pragma omp parallel for schedule(static)
      for (int c = 0; c < n; ++c)
        {
          const Point center = cell_center(mesh, c);
          GridPoint point    = {0, 0, 0};
          for (int d = 0; d < dim; ++d)
            point[d] = std::clamp(int((center[d] - low[d]) / spacing[d]), 0,
                                  size[d] - 1);
          keys[c] = key(point);
        }
      return keys;
    }

    /// The curve fills the smallest square or cube around all vertices.
    std::vector<std::uint64_t>
    hilbert_keys(const Connectivity &mesh)
    {
      const int dim = mesh.dim(), n = hilbert_size(dim);
      const BoundingBox box(mesh);
      const double spacing = box.largest() / (n - 1);
      return keys_of_centers(
        mesh, box.low, {spacing, spacing, spacing}, {n, n, n},
        [dim](const GridPoint &point) { return hilbert_index(point, dim); });
    }
  } // namespace


  std::vector<std::uint64_t>
  block_keys(const Connectivity &mesh, const int side)
  {
    const BoundingBox box(mesh);
    Point spacing  = mean_cell_size(mesh);
    GridPoint size = {1, 1, 1};
    for (int d = 0; d < mesh.dim(); ++d)
      {
        const double most = hilbert_size(mesh.dim());
        spacing[d]        = std::max(side * spacing[d], box.extent[d] / most);
        size[d]           = int(box.extent[d] / spacing[d]) + 1;
      }
    return keys_of_centers(
      mesh, box.low, spacing, size, [size](const GridPoint &p) {
        return (std::uint64_t(p[2]) * size[1] + p[1]) * size[0] + p[0];
      });
  }


  std::vector<int>
  order_cells(const Connectivity &mesh, const CellOrder cell_order,
              const int block_side)
  {
    if (cell_order == CellOrder::hilbert)
      return algorithms::sorted_positions(hilbert_keys(mesh));
    if (cell_order == CellOrder::blocked)
      return algorithms::sorted_positions(block_keys(mesh, block_side));
    if (cell_order == CellOrder::colored)
      {
        const std::vector<int> colors = color_cells(mesh);
        auto keys = parallel_vector<std::uint64_t>(colors.size());
        std::copy(colors.begin(), colors.end(), keys.begin());
        return algorithms::sorted_positions(keys);
      }
    std::vector<int> order(mesh.n_cells());
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
} // namespace tessera::internal
