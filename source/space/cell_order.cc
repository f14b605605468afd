#include "numbering.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace tessera::internal
{
  namespace
  {
    constexpr int bits_per_direction = 24;
    constexpr int bits_per_pass      = 16;

    /// Distance along the Hilbert curve of a grid of 2^24 by 2^24 points.
    std::uint64_t
    hilbert_index(std::uint32_t x, std::uint32_t y)
    {
      std::uint64_t index = 0;
      for (std::uint32_t s = 1u << (bits_per_direction - 1); s > 0; s /= 2)
        {
          const bool right = (x & s) != 0, up = (y & s) != 0;
          index = 4 * index + (right ? (up ? 2 : 3) : (up ? 1 : 0));
          if (!up)
            {
              if (right)
                {
                  x = ~x;
                  y = ~y;
                }
              std::swap(x, y);
            }
        }
      return index;
    }

    /// The curve runs through the smallest square around all vertices.
    std::vector<std::uint64_t>
    hilbert_keys(const Connectivity &mesh)
    {
      double low[2], extent = 0;
      for (int d = 0; d < 2; ++d)
        {
          double first = std::numeric_limits<double>::infinity(), last = -first;
          for (std::size_t i = d; i < mesh.vertices.size(); i += 2)
            {
              first = std::min(first, mesh.vertices[i]);
              last  = std::max(last, mesh.vertices[i]);
            }
          low[d] = first;
          extent = std::max(extent, last - first);
        }

      const int n        = mesh.n_cells();
      const double scale = ((1u << bits_per_direction) - 1) / extent;
      std::vector<std::uint64_t> keys(n);
#pragma omp parallel for schedule(static)
      for (int c = 0; c < n; ++c)
        {
          double center[2] = {0, 0};
          for (int v = 0; v < 4; ++v)
            for (int d = 0; d < 2; ++d)
              center[d] +=
                mesh
                  .vertices[2 * std::size_t(
                                  mesh.cell_vertices[4 * std::size_t(c) + v]) +
                            d] /
                4;
          keys[c] = hilbert_index(std::uint32_t((center[0] - low[0]) * scale),
                                  std::uint32_t((center[1] - low[1]) * scale));
        }
      return keys;
    }

    /// Positions of the keys in ascending order, equal keys as they were: a
    /// radix sort from the lowest digit.
    std::vector<int>
    sorted_positions(const std::vector<std::uint64_t> &keys)
    {
      const int n = static_cast<int>(keys.size());
      std::vector<int> positions(n), next(n);
      std::iota(positions.begin(), positions.end(), 0);

      constexpr std::size_t n_digits = std::size_t(1) << bits_per_pass;
      std::vector<std::size_t> start(n_digits + 1);
      for (int shift = 0; shift < 2 * bits_per_direction;
           shift += bits_per_pass)
        {
          const auto digit = [&](const int i) {
            return (keys[i] >> shift) & (n_digits - 1);
          };
          std::fill(start.begin(), start.end(), 0);
          for (int i = 0; i < n; ++i)
            ++start[digit(i) + 1];
          std::partial_sum(start.begin(), start.end(), start.begin());
          for (const int i : positions)
            next[start[digit(i)]++] = i;
          positions.swap(next);
        }
      return positions;
    }
  } // namespace


  std::vector<int>
  order_cells(const Connectivity &mesh, const CellOrder cell_order)
  {
    if (cell_order == CellOrder::hilbert)
      return sorted_positions(hilbert_keys(mesh));
    std::vector<int> order(mesh.n_cells());
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
} // namespace tessera::internal
