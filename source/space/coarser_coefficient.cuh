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
      const std::int64_t here = (group / n_components << shift) + lane;
      const std::int64_t cell = here < n_cells ? here : n_cells - 1;
      const int c             = static_cast<int>(group % n_components);
      double sum              = 0;
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
        for (int q = 0; q < n_points; ++q)
          {
            double g[dim][dim], adjoint[dim][dim], trace = 0, other = 0;
            set_metric(child(cell, m), q, g);
            cofactors(g, adjoint);
            const double det = determinant(g, adjoint);
            for (int d = 0; d < dim; ++d)
              {
                trace += g[d][d];
                other += adjoint[d][d];
              }
            fits = fits && det > 0 &&
                   trace * other <= dim * dim * (limit + 2) / 4 * det;
            stretch += trace * other / (dim * dim * det);
            least = m + q == 0 || trace < least ? trace : least;
            most  = trace > most ? trace : most;
          }
      const bool is_long = !(stretch <= long_cell * n_children * n_points);
      found[cell] =
        (is_long ? 1 : 0) + (most > limit * least ? 2 : 0) + (fits ? 0 : 4);
    }

  private:
    TESSERA_HOST_DEVICE void
    set_metric(const std::int64_t cell, const int q,
               double (&g)[dim][dim]) const
    {
      double j[dim][dim] = {}, c[dim][dim];
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
      const double det  = determinant(j, c);
      const bool tensor = n_components >= n_tensor;
      for (int a = 0; a < dim; ++a)
        for (int b = 0; b < dim; ++b)
          {
            double sum = 0;
            for (int x = 0; x < dim; ++x)
              for (int y = 0; y < dim; ++y)
                if (x == y || tensor)
                  sum += c[x][a] * c[y][b] *
                         k.at(cell, q, tensor ? symmetric_entry(dim, x, y) : 0);
            g[a][b] = sum / det;
            if (a == b && reacts)
              g[a][b] += k.at(cell, q, n_tensor) * det / 12;
          }
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
