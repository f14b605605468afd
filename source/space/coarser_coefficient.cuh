#pragma once

#include <tessera/space/geometry.h>

#include "mesh_quality.cuh"
#include "point_evaluator.cuh"

namespace tessera::internal
{
  /// A coefficient of finer cells, and the coarser cells that cover them.
  struct FinerCoefficient
  {
    CoefficientValues k;
    int n_points, n_components;
    int n_cells, n_children;
    const int *children; ///< [n_cells][n_children], or null: in their order

    TESSERA_HOST_DEVICE std::int64_t
    child(const std::int64_t cell, const int which) const
    {
      const std::int64_t number = cell * n_children + which;
      return children != nullptr ? children[number] : number;
    }
  };

  /// The mean over children and points of the values of finer cells, weighted
  /// by `weights`, for component c of a coarser cell, i = (batch n_components +
  /// c) lanes + lane. Moves the values of the finer cells and 8 bytes a mean.
  struct MeanOfChildren : FinerCoefficient
  {
    const double *weights; ///< [n_points], whose sum is 1
    int shift;             ///< of the lanes of the result
    double *means;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const std::int64_t group = i >> shift, lane = i & ((1 << shift) - 1);
      const std::int64_t padded = (group / n_components << shift) + lane;
      const std::int64_t cell   = padded < n_cells ? padded : n_cells - 1;
      const int c               = static_cast<int>(group % n_components);
      double sum                = 0;
      for (int m = 0; m < n_children; ++m)
        for (int q = 0; q < n_points; ++q)
          sum += weights[q] * k.at(child(cell, m), q, c);
      means[i] = sum / n_children;
    }
  };

  /// Finds the hindrance of each coarser cell: `stretched` by tr G tr G^-1,
  /// which is (1 + r) (1 + 1/r) for eigenvalues 1 and r, or `jumps` by tr G at
  /// all points, with J at the centre of a finer cell. Moves the vertices of
  /// finer cells and their coefficients.
  template <CellType type>
  struct FindHindrances : FinerCoefficient
  {
    static constexpr int n = MeshShape<type>::n, dim = MeshShape<type>::dim;
    static constexpr int n_tensor = n_symmetric(dim);
    static constexpr double limit = 20, long_cell = 1.25;

    bool reacts;          ///< c stands behind K
    const int *vertices;  ///< of the finer cells, packed
    const double *points; ///< [n_vertices][dim]
    int shift;            ///< of the lanes of vertices
    unsigned char *found; ///< [n_cells], bits that CountHindrances counts

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      double least = 0, most = 0, stretch = 0;
      bool fits = true;
      for (int m = 0; m < n_children; ++m)
        {
          const std::int64_t finer = child(cell, m);
          double c[dim][dim];
          const double volume = set_cofactors(finer, c);
          const Invariants of_shape =
            invariants(finer, 0, c, volume, n_components < n_tensor);
          for (int q = 0; q < n_points; ++q)
            {
              const Invariants g =
                n_components < n_tensor
                  ? of_shape.times(k.at(finer, q, 0))
                  : (q == 0 ? of_shape
                            : invariants(finer, q, c, volume, false));
              fits = fits && g.det > 0 &&
                     g.trace * g.other <= dim * dim * (limit + 2) / 4 * g.det;
              stretch += g.trace * g.other / (dim * dim * g.det);
              least = m + q == 0 || g.trace < least ? g.trace : least;
              most  = g.trace > most ? g.trace : most;
            }
        }
      const bool is_long = !(stretch <= long_cell * n_children * n_points);
      found[cell] =
        (is_long ? 1 : 0) + (most > limit * least ? 2 : 0) + (fits ? 0 : 4);
    }

  private:
    /// The traces of G and of its adjoint, and its determinant.
    struct Invariants
    {
      double trace, other, det;

      /// Returns the invariants of k G.
      TESSERA_HOST_DEVICE Invariants
      times(const double k) const
      {
        return {k * trace, (dim == 3 ? k * k : k) * other,
                (dim == 3 ? k * k * k : k * k) * det};
      }
    };

    /// Sets the cofactors of J and returns det J.
    TESSERA_HOST_DEVICE double
    set_cofactors(const std::int64_t cell, double (&c)[dim][dim]) const
    {
      double j[dim][dim] = {};
      for (int v = 0; v < n; ++v)
        {
          const std::int64_t place =
            (((cell >> shift) * n + v) << shift) + (cell & ((1 << shift) - 1));
          const double *const x = points + std::int64_t(vertices[place]) * dim;
          for (int a = 0; a < dim; ++a)
            for (int d = 0; d < dim; ++d)
              j[a][d] += ((v >> d & 1) != 0 ? x[a] : -x[a]) * 2 / n;
        }
      cofactors(j, c);
      return determinant(j, c);
    }

    /// Returns the invariants of G at point q, or of G with the unit tensor.
    TESSERA_HOST_DEVICE Invariants
    invariants(const std::int64_t cell, const int q,
               const double (&c)[dim][dim], const double volume,
               const bool unit) const
    {
      double g[dim][dim], adjoint[dim][dim];
      for (int a = 0; a < dim; ++a)
        for (int b = 0; b < dim; ++b)
          {
            double sum = 0;
            for (int x = 0; x < dim; ++x)
              for (int y = 0; y < dim; ++y)
                if (x == y || !unit)
                  sum +=
                    c[x][a] * c[y][b] *
                    (unit ? 1. : k.at(cell, q, symmetric_entry(dim, x, y)));
            g[a][b] = sum / volume;
            if (a == b && reacts)
              g[a][b] += k.at(cell, q, n_tensor) * volume / 12;
          }
      cofactors(g, adjoint);
      Invariants result{0, 0, determinant(g, adjoint)};
      for (int d = 0; d < dim; ++d)
        {
          result.trace += g[d][d];
          result.other += adjoint[d][d];
        }
      return result;
    }
  };

  /// Counts long cells, jumps and cells that are stretched too much.
  struct CountHindrances : Pass
  {
    static constexpr int n_sums = 3;

    const unsigned char *found;

    TESSERA_HOST_DEVICE void
    operator()(std::int64_t, Scalars) const
    {}

    TESSERA_HOST_DEVICE double
    share(const int k, const std::int64_t cell) const
    {
      return found[cell] >> k & 1;
    }
  };
} // namespace tessera::internal
