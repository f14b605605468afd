#include "keys.h"

#include "first_touch.h"

#include <tessera/base/algorithms.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/space/geometry.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace tessera::internal
{
  namespace
  {
    /// The part of a Hilbert curve in a cube that two levels divide into 4 by 4
    /// by 4, for each of its orientations. The axes are rotated at every level,
    /// then a Gray code follows (J. Skilling, Programming the Hilbert curve,
    /// 2004).
    class HilbertCubes
    {
    public:
      static constexpr int levels = 2;

      HilbertCubes()
      {
        std::vector<Orientation> all = {{0, 1, 2, 0, 0, 0, 0}};
        for (std::size_t k = 0; k < all.size(); ++k)
          for (int cube = 0; cube < 64; ++cube)
            {
              Orientation state = all[k];
              int index         = 0;
              for (int level = levels - 1; level >= 0; --level)
                index = 8 * index +
                        take(state, {cube >> level & 1, cube >> (2 + level) & 1,
                                     cube >> (4 + level) & 1});
              const auto found = std::find(all.begin(), all.end(), state);
              cubes.push_back(static_cast<std::uint16_t>(
                index | (found - all.begin()) << 3 * levels));
              if (found == all.end())
                all.push_back(state);
            }
      }

      /// Appends the index of a cube within the one before, whose orientation
      /// is `state`.
      void
      append(const std::uint32_t cube, std::uint64_t &index,
             std::uint32_t &state) const
      {
        const std::uint32_t entry = cubes[64 * state + cube];
        index                     = index << 3 * levels | (entry & 63);
        state                     = entry >> 3 * levels;
      }

    private:
      /// The curve's axis a is axis [a] of the cube, backwards if [3 + a] is 1;
      /// [6] is the Gray code's carry.
      using Orientation = std::array<int, 7>;

      /// Returns the index of an octant, and turns the axes for the octants in
      /// it.
      static int
      take(Orientation &state, const std::array<int, 3> &octant)
      {
        int x[3], index = 0;
        for (int a = 0; a < 3; ++a)
          x[a] = octant[state[a]] ^ state[3 + a];
        for (int a = 0; a < 3; ++a)
          if (x[a] != 0)
            state[3] ^= 1;
          else
            {
              std::swap(state[0], state[a]);
              std::swap(state[3], state[3 + a]);
            }
        for (int a = 0, gray = 0; a < 3; ++a)
          {
            gray ^= x[a];
            index = 2 * index + (gray ^ state[6]);
          }
        state[6] ^= x[0] ^ x[1] ^ x[2];
        return index;
      }

      std::vector<std::uint16_t> cubes; ///< index, orientation in it
    };

    /// Uses a grid of 2^16 points per direction.
    std::uint64_t
    hilbert_index_3d(const std::uint32_t x, const std::uint32_t y,
                     const std::uint32_t z)
    {
      static const HilbertCubes cubes;
      std::uint64_t index = 0;
      std::uint32_t state = 0;
      for (int level = 16 - HilbertCubes::levels; level >= 0;
           level -= HilbertCubes::levels)
        cubes.append((x >> level & 3) | (y >> level & 3) << 2 |
                       (z >> level & 3) << 4,
                     index, state);
      return index;
    }

    /// The part of a Hilbert curve in a square that four levels divide into 16
    /// by 16: 4^4 indices for each of its four orientations.
    class HilbertSquares
    {
    public:
      static constexpr int levels = 4, width = 1 << levels;

      /// Within a quarter of a square, the curve is the whole curve with its
      /// axes swapped, turned around, or both.
      HilbertSquares()
      {
        for (std::uint32_t start = 0; start < 4; ++start)
          for (std::uint32_t y = 0; y < width; ++y)
            for (std::uint32_t x = 0; x < width; ++x)
              {
                std::uint32_t index = 0, swapped = start & 1,
                              turned = start / 2;
                for (int level = levels - 1; level >= 0; --level)
                  {
                    const std::uint32_t first = (x >> level & 1) ^ turned;
                    const std::uint32_t other =
                      ((x ^ y) >> level & 1) & swapped;
                    const std::uint32_t right = first ^ other;
                    const std::uint32_t up =
                      ((y >> level & 1) ^ turned) ^ other;
                    index = 4 * index + ((3 * right) ^ up);
                    turned ^= right & ~up & 1;
                    swapped ^= ~up & 1;
                  }
                squares[start][y * width + x] = static_cast<std::uint16_t>(
                  index << 2 | turned << 1 | swapped);
              }
      }

      /// Appends the index of a square within the one before, whose
      /// orientation is `state`.
      void
      append(const std::uint32_t x, const std::uint32_t y, std::uint64_t &index,
             std::uint32_t &state) const
      {
        const std::uint32_t entry = squares[state][y * width + x];
        index                     = index << 2 * levels | entry >> 2;
        state                     = entry & 3;
      }

    private:
      std::uint16_t squares[4]
                           [width * width]; ///< index, orientation at its end
    };

    /// Uses a grid of 2^24 by 2^24 points.
    std::uint64_t
    hilbert_index_2d(const std::uint32_t x, const std::uint32_t y)
    {
      static const HilbertSquares squares;
      constexpr int levels = HilbertSquares::levels;
      constexpr auto mask  = std::uint32_t(HilbertSquares::width - 1);
      std::uint64_t index  = 0;
      std::uint32_t state  = 0;
      for (int level = 24 - levels; level >= 0; level -= levels)
        squares.append(x >> level & mask, y >> level & mask, index, state);
      return index;
    }

    /// Returns the mean of value(i), 0 <= i < n. Pieces of fixed size are
    /// summed up first: the result does not depend on the number of threads.
    template <class Value>
    Point
    mean(const int n, const Value &value)
    {
      constexpr int piece_size = 4096;
      std::vector<Point> sums(n / piece_size + 1, Point{});
#pragma omp parallel for schedule(static)
      for (std::size_t piece = 0; piece < sums.size(); ++piece)
        for (int i = int(piece) * piece_size;
             i < std::min<long>(n, (piece + 1L) * piece_size); ++i)
          {
            const Point v = value(i);
            for (int d = 0; d < 3; ++d)
              sums[piece][d] += v[d];
          }
      Point result = {};
      for (const Point &sum : sums)
        for (int d = 0; d < 3; ++d)
          result[d] += sum[d] / n;
      return result;
    }

    /// Returns max_k |(E_k)_d|, with E_k the mean of the edges in direction k.
    Point
    tensor_cell_size(const Connectivity &mesh, const int cell)
    {
      const int dim = mesh.dim(), nv = mesh.vertices_per_cell();
      const int *const corner = &mesh.cell_vertices[std::size_t(nv) * cell];
      Point size              = {};
      for (int k = 0; k < dim; ++k)
        for (int d = 0; d < dim; ++d)
          {
            double sum = 0;
            for (int v = 0; v < nv; ++v)
              {
                const double x =
                  mesh.vertices[std::size_t(dim) * corner[v] + d];
                sum += v >> k & 1 ? x : -x;
              }
            size[d] = std::max(size[d], std::abs(sum) * 2 / nv);
          }
      return size;
    }

    template <int dim>
    double
    simplex_determinant(const Connectivity &mesh, const int cell)
    {
      double x[dim + 1][dim];
      for (int v = 0; v <= dim; ++v)
        std::copy_n(&mesh.vertices[std::size_t(dim) *
                                   mesh.cell_vertices[(dim + 1L) * cell + v]],
                    dim, x[v]);
      return determinant<dim>(LinearGeometry<dim, double>(x).edge);
    }

    /// Returns [n][vertices of a cell]: `nodes_per_step` times the weights of
    /// the vertices at the nodes of a cell.
    std::vector<int>
    node_weights(const CellType type, const int p)
    {
      const int dim = dimension(type), nv = n_vertices(type);
      const int n = n_nodes(type, p);
      std::vector<int> weights(std::size_t(n) * nv, 0);
      if (is_simplex(type))
        {
          // Triangles have the first three edges of tetrahedra.
          constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0},
                                       {0, 3}, {1, 3}, {2, 3}};
          for (int i = 0; i < n; ++i)
            if (i < nv)
              weights[i * nv + i] = p;
            else
              for (const int v : edges[i - nv])
                weights[i * nv + v] = 1;
          return weights;
        }
      for (int i = 0; i < n; ++i)
        for (int v = 0; v < nv; ++v)
          {
            int weight = 1, at = i;
            for (int d = 0; d < dim; ++d, at /= p + 1)
              weight *= v >> d & 1 ? at % (p + 1) : p - at % (p + 1);
            weights[i * nv + v] = weight;
          }
      return weights;
    }
  } // namespace


  BoundingBox::BoundingBox(const Connectivity &mesh)
  {
    const std::size_t dim = mesh.dim();
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
        low[d]    = first;
        extent[d] = last - first;
      }
  }


  double
  BoundingBox::largest() const
  {
    return *std::max_element(extent.begin(), extent.end());
  }


  Point
  cell_center(const Connectivity &mesh, const int cell)
  {
    const std::size_t dim = mesh.dim(), nv = mesh.vertices_per_cell();
    Point center = {};
    for (std::size_t d = 0; d < dim; ++d)
      for (std::size_t v = 0; v < nv; ++v)
        center[d] +=
          mesh.vertices[dim * mesh.cell_vertices[nv * cell + v] + d] / nv;
    return center;
  }


  Point
  mean_cell_size(const Connectivity &mesh)
  {
    if (!is_simplex(mesh.cell_type))
      return mean(mesh.n_cells(),
                  [&](const int c) { return tensor_cell_size(mesh, c); });
    const Point det   = mean(mesh.n_cells(), [&](const int c) {
      return Point{std::abs(mesh.dim() == 2 ? simplex_determinant<2>(mesh, c)
                                              : simplex_determinant<3>(mesh, c)),
                   0, 0};
    });
    const double side = std::pow(det[0], 1. / mesh.dim());
    return {side, side, side};
  }


  std::vector<GridPoint>
  vertices_on_grid(const Connectivity &mesh, const Point &low,
                   const Point &spacing)
  {
    const std::size_t dim = mesh.dim();
    auto result           = parallel_vector<GridPoint>(mesh.n_vertices);
#pragma omp parallel for schedule(static)
    for (int v = 0; v < mesh.n_vertices; ++v)
      for (std::size_t d = 0; d < dim; ++d)
        result[v][d] =
          int((mesh.vertices[dim * v + d] - low[d]) / spacing[d] + 0.5);
    return result;
  }


  int
  nodes_per_step(const Connectivity &mesh)
  {
    int steps = mesh.degree;
    if (!is_simplex(mesh.cell_type))
      for (int d = 1; d < mesh.dim(); ++d)
        steps *= mesh.degree;
    return steps;
  }


  std::vector<GridPoint>
  nodes_on_grid(const Connectivity &mesh,
                const std::vector<GridPoint> &vertices)
  {
    const int dim = mesh.dim(), n = mesh.dofs_per_cell();
    const int nv                   = mesh.vertices_per_cell();
    const std::vector<int> weights = node_weights(mesh.cell_type, mesh.degree);
    auto result                    = parallel_vector<GridPoint>(mesh.n_dofs);
#pragma omp parallel for schedule(static)
    for (int c = 0; c < mesh.n_cells(); ++c)
      {
        const int *const corner = &mesh.cell_vertices[std::size_t(nv) * c];
        for (int i = 0; i < n; ++i)
          {
            GridPoint &node = result[mesh.cell_dofs[std::size_t(n) * c + i]];
            for (int d = 0; d < dim; ++d)
              {
                int position = 0;
                for (int v = 0; v < nv; ++v)
                  position += weights[i * nv + v] * vertices[corner[v]][d];
                leave_larger(node[d], position);
              }
          }
      }
    return result;
  }


  std::uint64_t
  hilbert_index(const GridPoint &point, const int dim)
  {
    const std::uint32_t x = point[0], y = point[1], z = point[2];
    return dim == 2 ? hilbert_index_2d(x, y) : hilbert_index_3d(x, y, z);
  }
} // namespace tessera::internal
