#include "numbering.h"

#include <tessera/base/parallel_vector.h>

#include <omp.h>

#include <algorithm>
#include <array>
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
    constexpr int bits_of_keys  = 48;
    constexpr int bits_per_pass = 16;

    int
    bits_per_direction(const int dim)
    {
      return dim == 2 ? 24 : 16;
    }

    /// Distance along the Hilbert curve of a grid of 2^16 points a direction:
    /// a rotation of the axes at every level, then a Gray code (J. Skilling,
    /// Programming the Hilbert curve, 2004).
    std::uint64_t
    hilbert_index(std::array<std::uint32_t, 3> x)
    {
      const std::uint32_t top = 1u << (bits_per_direction(3) - 1);
      for (std::uint32_t s = top; s > 1; s /= 2)
        for (std::uint32_t &value : x)
          if (value & s)
            x[0] ^= s - 1;
          else
            {
              const std::uint32_t t = (x[0] ^ value) & (s - 1);
              x[0] ^= t;
              value ^= t;
            }
      x[1] ^= x[0];
      x[2] ^= x[1];
      std::uint32_t t = 0;
      for (std::uint32_t s = top; s > 1; s /= 2)
        if (x[2] & s)
          t ^= s - 1;
      std::uint64_t index = 0;
      for (std::uint32_t s = top; s > 0; s /= 2)
        for (const std::uint32_t value : x)
          index = 2 * index + (((value ^ t) & s) != 0);
      return index;
    }

    /// Distance along the Hilbert curve of a grid of 2^24 by 2^24 points. In
    /// the quarter that a level goes to, the curve is that of the whole grid
    /// with its axes swapped, turned around, or both.
    std::uint64_t
    hilbert_index(const std::uint32_t x, const std::uint32_t y)
    {
      std::uint64_t index   = 0;
      std::uint32_t swapped = 0, turned = 0;
      for (int level = bits_per_direction(2) - 1; level >= 0; --level)
        {
          const std::uint32_t first = (x >> level & 1) ^ turned;
          const std::uint32_t other = ((x ^ y) >> level & 1) & swapped;
          const std::uint32_t right = first ^ other;
          const std::uint32_t up    = ((y >> level & 1) ^ turned) ^ other;
          index                     = 4 * index + ((3 * right) ^ up);
          turned ^= right & ~up & 1;
          swapped ^= ~up & 1;
        }
      return index;
    }

    /// The curve runs through the smallest square or cube around all vertices.
    std::vector<std::uint64_t>
    hilbert_keys(const Connectivity &mesh)
    {
      const std::size_t dim = mesh.dim(), nv = mesh.vertices_per_cell();
      double low[3], extent                  = 0;
      for (std::size_t d = 0; d < dim; ++d)
        {
          double first = std::numeric_limits<double>::infinity(), last = -first;
#pragma omp parallel for schedule(static) reduction(min                    \
                                                    : first) reduction(max \
                                                                       : last)
          for (std::size_t i = d; i < mesh.vertices.size(); i += dim)
            {
              first = std::min(first, mesh.vertices[i]);
              last  = std::max(last, mesh.vertices[i]);
            }
          low[d] = first;
          extent = std::max(extent, last - first);
        }

      const int n        = mesh.n_cells();
      const double scale = ((1u << bits_per_direction(dim)) - 1) / extent;
      auto keys          = parallel_vector<std::uint64_t>(n);
#pragma omp parallel for schedule(static)
      for (int c = 0; c < n; ++c)
        {
          std::array<std::uint32_t, 3> grid = {0, 0, 0};
          for (std::size_t d = 0; d < dim; ++d)
            {
              double center = 0;
              for (std::size_t v = 0; v < nv; ++v)
                center +=
                  mesh.vertices[dim * mesh.cell_vertices[nv * c + v] + d] / nv;
              grid[d] = std::uint32_t(std::max(0., (center - low[d]) * scale));
            }
          keys[c] =
            dim == 2 ? hilbert_index(grid[0], grid[1]) : hilbert_index(grid);
        }
      return keys;
    }

    /// Positions of the keys in ascending order, equal keys as they were: a
    /// radix sort from the lowest digit, of a piece of the list by each thread.
    std::vector<int>
    sorted_positions(const std::vector<std::uint64_t> &keys)
    {
      constexpr std::size_t n_digits = std::size_t(1) << bits_per_pass;
      const std::size_t n            = keys.size();
      const std::size_t n_pieces =
        std::min<std::size_t>(omp_get_max_threads(), n / n_digits + 1);
      const auto begin = [&](const std::size_t piece) {
        return n * piece / n_pieces;
      };
      auto positions = parallel_vector<int>(n),
           sorted    = parallel_vector<int>(n);
      std::iota(positions.begin(), positions.end(), 0);
      std::vector<std::size_t> next(n_pieces * n_digits); // of piece, digit
      for (int shift = 0; shift < bits_of_keys; shift += bits_per_pass)
        {
          const auto digit = [&](const int i) {
            return (keys[i] >> shift) & (n_digits - 1);
          };
          std::fill(next.begin(), next.end(), 0);
#pragma omp parallel for schedule(static)
          for (std::size_t piece = 0; piece < n_pieces; ++piece)
            for (std::size_t k = begin(piece); k < begin(piece + 1); ++k)
              ++next[piece * n_digits + digit(positions[k])];
          std::size_t before = 0;
          for (std::size_t d = 0; d < n_digits; ++d)
            for (std::size_t piece = 0; piece < n_pieces; ++piece)
              before += std::exchange(next[piece * n_digits + d], before);
#pragma omp parallel for schedule(static)
          for (std::size_t piece = 0; piece < n_pieces; ++piece)
            for (std::size_t k = begin(piece); k < begin(piece + 1); ++k)
              sorted[next[piece * n_digits + digit(positions[k])]++] =
                positions[k];
          positions.swap(sorted);
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
