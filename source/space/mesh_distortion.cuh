#pragma once

#include <tessera/base/random.h>

#include "mesh_quality.cuh"

namespace tessera::internal
{
  /// Returns the number >= 0 that has these bits.
  TESSERA_HOST_DEVICE double
  number_of(const std::uint64_t ordered)
  {
    const std::uint64_t bits = ordered & ~(std::uint64_t(1) << 63);
    double x                 = 0;
    std::memcpy(&x, &bits, sizeof(double));
    return x;
  }

  /// The vertices of a mesh whose vertices are moved.
  struct MovingVertices
  {
    /// The largest ~ordered_bits of squares of lengths of edges, [n_vertices].
    std::uint64_t *nearest;
    /// The largest ~place of corners that are the vertex, [n_vertices].
    std::uint64_t *first;
    unsigned char *fixed;    ///< [n_vertices]
    unsigned char *halvings; ///< how often its step was halved, [n_vertices]
    unsigned char *too_far;  ///< a cell is spoiled, [n_vertices]

    static constexpr int most_halvings = 10;
  };

  /// Also collects the shortest edges and the first places of vertices.
  template <CellType type>
  struct EdgesOfCells
  {
    QualityOfCells<type> cells;
    MovingVertices vertices;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      constexpr int n          = MeshShape<type>::n;
      const auto shape         = cells.shape(cell);
      std::uint64_t nearest[n] = {};
      for (int v = 0; v < n; ++v)
        for (int w = 0; w < v; ++w)
          if (MeshCell<type>::simple || ((v ^ w) & ((v ^ w) - 1)) == 0)
            {
              const auto bits = ~ordered_bits(shape.edge(v, w).square());
              nearest[v]      = bits > nearest[v] ? bits : nearest[v];
              nearest[w]      = bits > nearest[w] ? bits : nearest[w];
            }
      for (int v = 0; v < n; ++v)
        {
          const int vertex = cells.corners[cell * n + v];
          leave_larger(vertices.nearest[vertex], nearest[v]);
          leave_larger(vertices.first[vertex],
                       ~static_cast<std::uint64_t>(cell * n + v));
        }
      cells.take(cell, shape.quality());
    }
  };

  /// Marks the vertices of boundary faces.
  template <CellType type>
  struct FixBoundary
  {
    const MeshFace *boundary;
    const int *corners;
    unsigned char *fixed;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const MeshFace face = boundary[i];
      for (int k = 0; k < Faces<type>::n_corners; ++k)
        set_mark(fixed + corners[static_cast<std::int64_t>(face.cell) *
                                   MeshCell<type>::n_corners +
                                 Faces<type>::corner(face.face, k)]);
    }
  };

  /// Moves a vertex, unless it is fixed or its steps were too long too often.
  template <int dim>
  struct MoveVertex
  {
    MovingVertices vertices;
    const double *from;
    double *to;
    double factor;
    std::uint64_t seed;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t v) const
    {
      const int times = vertices.halvings[v];
      double x[dim] = {}, length = 0;
      if (vertices.fixed[v] == 0 && times <= MovingVertices::most_halvings)
        {
          set_direction(x, ~vertices.first[v]);
          length = factor * std::sqrt(number_of(~vertices.nearest[v])) *
                   (1. / (1 << times));
        }
      for (int d = 0; d < dim; ++d)
        to[v * dim + d] = from[v * dim + d] + rounded_product(x[d], length);
    }

  private:
    /// Sets x to a vector of length one; all directions are equally likely.
    TESSERA_HOST_DEVICE void
    set_direction(double (&x)[dim], const std::uint64_t place) const
    {
      double norm = 0;
      for (std::uint64_t i = 0; !(norm > 0.1 && norm <= 1.); ++i)
        {
          double square = 0;
          for (int d = 0; d < dim; ++d)
            {
              x[d] = uniform((place * 64 + i) * dim + d);
              square += rounded_product(x[d], x[d]);
            }
          norm = std::sqrt(square);
        }
      for (int d = 0; d < dim; ++d)
        x[d] *= 1. / norm;
    }

    /// Uniform in [-1, 1]; depends on the seed and i alone.
    TESSERA_HOST_DEVICE double
    uniform(const std::uint64_t i) const
    {
      const std::uint64_t z =
        seed * 0xd1342543de82ef95ull + i * 0x9e3779b97f4a7c15ull;
      return static_cast<double>(mix(mix(z)) >> 11) * 0x1p-52 - 1.;
    }
  };

  /// Marks the corners of cells that lose more than 3/4 of their quality.
  template <CellType type>
  struct SpoiledCells
  {
    QualityOfCells<type> cells; ///< of moved vertices
    const double *before;
    MovingVertices vertices;
    unsigned char *found;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      const double now = cells.shape(cell).quality();
      cells.take(cell, now);
      if (now > 0.25 * before[cell])
        return;
      set_mark(found);
      constexpr int n = MeshShape<type>::n;
      for (int v = 0; v < n; ++v)
        set_mark(vertices.too_far + cells.corners[cell * n + v]);
    }
  };

  struct HalveSteps
  {
    MovingVertices vertices;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t v) const
    {
      if (vertices.too_far[v] != 0 &&
          vertices.halvings[v] <= MovingVertices::most_halvings)
        ++vertices.halvings[v];
      vertices.too_far[v] = 0;
    }
  };
} // namespace tessera::internal
