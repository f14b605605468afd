#pragma once

#include <tessera/base/for_each.h>
#include <tessera/base/leave_larger.h>
#include <tessera/base/symmetric.h>
#include <tessera/space/geometry.h>
#include <tessera/space/space.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

// What PointEvaluator and its relatives do at a point.
namespace tessera::internal
{
  /// The lanes of cells in backend memory and the points in each cell.
  struct PointPlaces
  {
    int lanes, first_cell, n_cells, n_points;

    /// The number of the cell at place i of a piece, also behind the last one.
    TESSERA_HOST_DEVICE std::int64_t
    cell(const std::int64_t i) const
    {
      return first_cell + i / lanes / n_points * lanes + i % lanes;
    }

    TESSERA_HOST_DEVICE int
    point(const std::int64_t i) const
    {
      return static_cast<int>(i / lanes % n_points);
    }

    /// The cell that stands at that place, which may be the last one again.
    TESSERA_HOST_DEVICE std::int64_t
    within(const std::int64_t cell) const
    {
      return cell < n_cells ? cell : n_cells - 1;
    }

    /// The place of entry e of n_entries of a cell, lane fastest.
    TESSERA_HOST_DEVICE std::int64_t
    packed(const std::int64_t cell, const int n_entries, const int e) const
    {
      return (cell / lanes * n_entries + e) * lanes + cell % lanes;
    }
  };

  /// Computes point, weight and function at a place of a piece. Moves 8 (1 +
  /// dim + n_components (1 + dim)) bytes; the cell and the tables are read from
  /// caches.
  template <int dim>
  struct EvaluateAtPoint
  {
    PointPlaces places;
    const int *dofs; ///< packed
    /// Packed, or [n_cells][n_map], or null where cells share no nodes of maps.
    const int *corners;
    bool packed_corners;
    const double *map_nodes, *u;
    const double *values, *gradients, *map_values, *map_gradients, *weights;
    int n, n_map, n_components;
    std::int64_t pitch;
    double *dx, *x, *of_values, *of_gradients;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int n_points = places.n_points, q = places.point(i);
      const std::int64_t padded = places.cell(i), cell = places.within(padded);

      double at[dim] = {}, j[dim][dim] = {}, c[dim][dim];
      for (int a = 0; a < n_map; ++a)
        {
          const std::int64_t place =
            packed_corners ? places.packed(cell, n_map, a) : cell * n_map + a;
          const double *const node =
            map_nodes + (corners != nullptr ? corners[place] : place) * dim;
          const double value = map_values[a * n_points + q];
          double slope[dim];
          TESSERA_UNROLL
          for (int d = 0; d < dim; ++d)
            slope[d] = map_gradients[(d * n_map + a) * n_points + q];
          TESSERA_UNROLL
          for (int k = 0; k < dim; ++k)
            {
              at[k] += value * node[k];
              TESSERA_UNROLL
              for (int d = 0; d < dim; ++d)
                j[k][d] += slope[d] * node[k];
            }
        }
      cofactors(j, c);
      const double det = determinant(j, c);
      dx[i]            = padded == cell ? weights[q] * det : 0.;
      TESSERA_UNROLL
      for (int k = 0; k < dim; ++k)
        x[k * pitch + i] = at[k];

      for (int f = 0; f < n_components; ++f)
        {
          double v = 0, g[dim] = {};
          for (int a = 0; a < n; ++a)
            {
              const double nodal =
                u[std::int64_t(dofs[places.packed(cell, n, a)]) * n_components +
                  f];
              v += values[a * n_points + q] * nodal;
              TESSERA_UNROLL
              for (int d = 0; d < dim; ++d)
                g[d] += gradients[(d * n + a) * n_points + q] * nodal;
            }
          of_values[f * pitch + i] = v;
          TESSERA_UNROLL
          for (int k = 0; k < dim; ++k)
            {
              double sum = 0;
              TESSERA_UNROLL
              for (int d = 0; d < dim; ++d)
                sum += c[k][d] * g[d];
              of_gradients[(f * dim + k) * pitch + i] = sum / det;
            }
        }
    }
  };

  /// The sums of w (a - b)^2 and of w b^2. Moves 3 numbers per entry.
  struct WeightedSquares : Pass
  {
    static constexpr int n_sums = 2;
    const double *w, *a, *b;

    TESSERA_HOST_DEVICE void
    operator()(std::int64_t, const Scalars &) const
    {}

    TESSERA_HOST_DEVICE double
    share(const int k, const std::int64_t i) const
    {
      const double value = k == 0 ? a[i] - b[i] : b[i];
      return w[i] * (value * value);
    }
  };

  /// The sums of w f and of w |f|. Moves 2 numbers per entry.
  struct WeightedValues : Pass
  {
    static constexpr int n_sums = 2;
    const double *w, *f;

    TESSERA_HOST_DEVICE void
    operator()(std::int64_t, const Scalars &) const
    {}

    TESSERA_HOST_DEVICE double
    share(const int k, const std::int64_t i) const
    {
      return w[i] * (k == 0 || f[i] >= 0 ? f[i] : -f[i]);
    }
  };

  /// Leaves the largest |a - b|, or NaN if there is one, as bits, whose
  /// order is the one of the numbers, since none is negative.
  struct LargestDifference
  {
    const double *a, *b;
    std::uint64_t *largest;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const double magnitude = std::abs(a[i] - b[i]);
      std::uint64_t bits     = 0;
      std::memcpy(&bits, &magnitude, sizeof(bits));
      leave_larger(*largest, bits);
    }
  };

  /// Copies values to a component of a packed coefficient where the cell has a
  /// number.
  struct SetComponent
  {
    const double *from;
    std::int64_t stride;
    const unsigned char *numbers; ///< of all cells, or null
    int which, component, n_components;
    PointPlaces places;
    double *to;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const std::int64_t padded = places.cell(i);
      if (numbers == nullptr || numbers[places.within(padded)] == which)
        to[places.packed(padded, places.n_points * n_components,
                         places.point(i) * n_components + component)] =
          from[i * stride];
    }
  };

  /// Counts points whose values are not finite or not legal otherwise.
  struct BadValues : Pass
  {
    static constexpr int n_sums = 1;
    const double *values;
    int lanes, n_components;
    bool positive, not_negative;

    TESSERA_HOST_DEVICE void
    operator()(std::int64_t, const Scalars &) const
    {}

    TESSERA_HOST_DEVICE double
    share(int, const std::int64_t i) const
    {
      double k[9];
      bool good = true;
      for (int c = 0; c < n_components; ++c)
        {
          k[c] = values[(i / lanes * n_components + c) * lanes + i % lanes];
          good = good && k[c] - k[c] == 0 && !(not_negative && k[c] < 0);
        }
      return good && (!positive || is_positive_definite(k, n_components)) ? 0
                                                                          : 1;
    }
  };

  /// Copies the values in cells.
  struct CopyCells
  {
    PointPlaces places;
    const double *packed;
    const int *cells;
    int n_entries;
    double *to;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      to[i] = packed[places.packed(cells[i / n_entries], n_entries,
                                   static_cast<int>(i % n_entries))];
    }
  };

  /// The values of a coefficient, [n_batches][n_entries][lanes], lane fastest.
  /// The number of lanes is a power of 2, and 1 in a `Coefficient` of the host.
  struct CoefficientValues
  {
    const double *values;
    int n_entries;    ///< of a cell, 0 if all cells have the same
    int point_stride; ///< 0 if all points of a cell have the same
    int shift;        ///< the logarithm of the lanes

    TESSERA_HOST_DEVICE double
    at(const std::int64_t cell, const int q, const int c) const
    {
      const std::int64_t entry =
        (cell >> shift) * n_entries + q * point_stride + c;
      return values[(entry << shift) + (cell & ((1 << shift) - 1))];
    }
  };

  /// Adds up the terms of all components at a point. Moves the values of the
  /// terms and of the components.
  struct AddTerms
  {
    struct Term
    {
      CoefficientValues a, b; ///< b.values is null where there is none
      int i, j, to;
      double factor;
    };

    static constexpr std::size_t max_terms = 16;

    Term terms[max_terms];
    int n_terms, n_components, n_points, shift;
    double *to; ///< [n_batches][n_points][n_components][lanes]

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t place) const
    {
      const std::int64_t row  = place >> shift,
                         lane = place & ((1 << shift) - 1);
      const std::int64_t cell = ((row / n_points) << shift) + lane;
      const int q             = static_cast<int>(row % n_points);
      for (int c = 0; c < n_components; ++c)
        {
          double sum = 0;
          for (int t = 0; t < n_terms; ++t)
            if (const Term &term = terms[t]; term.to == c)
              {
                const double product = term.factor * term.a.at(cell, q, term.i);
                sum += term.b.values != nullptr
                         ? product * term.b.at(cell, q, term.j)
                         : product;
              }
          to[((row * n_components + c) << shift) + lane] = sum;
        }
    }
  };
} // namespace tessera::internal
