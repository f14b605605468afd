#pragma once

#include <tessera/base/for_each.h>
#include <tessera/base/leave_larger.h>
#include <tessera/space/mesh_arrays.h>

#include "../base/rounded_product.h"
#include "mesh_cells.h"

#include <cmath>
#include <cstdint>
#include <cstring>

// Products are rounded before they are added, and bits of numbers compared, so
// that both backends find the same.
namespace tessera::internal
{
  /// Returns bits that have the order of numbers.
  TESSERA_HOST_DEVICE std::uint64_t
  ordered_bits(const double x)
  {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof(double));
    constexpr std::uint64_t sign = std::uint64_t(1) << 63;
    return (bits & sign) != 0 ? ~bits : bits | sign;
  }

  /// A column of J and its length.
  template <int dim>
  struct MeshEdge
  {
    double x[dim], length;

    TESSERA_HOST_DEVICE static MeshEdge
    between(const double (&from)[dim], const double (&to)[dim])
    {
      MeshEdge result;
      for (int d = 0; d < dim; ++d)
        result.x[d] = to[d] - from[d];
      return result.measured();
    }

    TESSERA_HOST_DEVICE static MeshEdge
    mean(const MeshEdge &a, const MeshEdge &b)
    {
      MeshEdge result;
      for (int d = 0; d < dim; ++d)
        result.x[d] = 0.5 * (a.x[d] + b.x[d]);
      return result.measured();
    }

    TESSERA_HOST_DEVICE double
    square() const
    {
      double sum = 0;
      for (int d = 0; d < dim; ++d)
        sum += rounded_product(x[d], x[d]);
      return sum;
    }

  private:
    TESSERA_HOST_DEVICE MeshEdge
    measured()
    {
      length = std::sqrt(square());
      return *this;
    }
  };

  TESSERA_HOST_DEVICE double
  determinant_of(const MeshEdge<2> &a, const MeshEdge<2> &b)
  {
    return rounded_product(a.x[0], b.x[1]) - rounded_product(a.x[1], b.x[0]);
  }

  TESSERA_HOST_DEVICE double
  determinant_of(const MeshEdge<3> &a, const MeshEdge<3> &b,
                 const MeshEdge<3> &c)
  {
    const auto cofactor = [&](const int i, const int j) {
      return rounded_product(b.x[i], c.x[j]) - rounded_product(b.x[j], c.x[i]);
    };
    return rounded_product(a.x[0], cofactor(1, 2)) +
           rounded_product(a.x[1], cofactor(2, 0)) +
           rounded_product(a.x[2], cofactor(0, 1));
  }

  /// Sets `smallest` to the minimum of itself and det J of these columns,
  /// divided by their lengths.
  template <class... Edges>
  TESSERA_HOST_DEVICE void
  take_scaled(double &smallest, const Edges &...J)
  {
    const double lengths = (1. * ... * J.length);
    const double scaled  = lengths > 0. ? determinant_of(J...) / lengths : 0.;
    smallest             = scaled < smallest ? scaled : smallest;
  }

  /// The shape of a cell with corners x.
  template <CellType type>
  struct MeshShape
  {
    static constexpr int dim = MeshCell<type>::dim;
    static constexpr int n   = MeshCell<type>::n_corners;
    using Edge               = MeshEdge<dim>;
    double x[n][dim];

    TESSERA_HOST_DEVICE Edge
    edge(const int v, const int w) const
    {
      return Edge::between(x[v], x[w]);
    }

    /// See `cell_quality`.
    TESSERA_HOST_DEVICE double
    quality() const
    {
      double smallest = 2.;
      if constexpr (type == CellType::quadrilateral)
        {
          const Edge along[2][2] = {{edge(0, 1), edge(2, 3)},
                                    {edge(0, 2), edge(1, 3)}};
          for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
              take_scaled(smallest, along[0][j], along[1][i]);
        }
      else if constexpr (type == CellType::hexahedron)
        {
          // Columns are bilinear in the other two coordinates, so that they are
          // means of edges.
          const Row low = row(2, 1, 0, 2), high = row(2, 1, 1, 2);
          take_layer(smallest, row(0, 2, 0, 4), row(1, 1, 0, 4), low, high);
          take_layer(smallest, mean(row(0, 2, 0, 4), row(0, 2, 1, 4)),
                     mean(row(1, 1, 0, 4), row(1, 1, 1, 4)), low, high);
          take_layer(smallest, row(0, 2, 1, 4), row(1, 1, 1, 4), low, high);
        }
      else
        {
          constexpr double regular =
            dim == 2 ? 0.86602540378443864676 : 0.70710678118654752440;
          double longest = 0.;
          for (int v = 0; v < n; ++v)
            {
              double lengths = 1.;
              for (int w = 0; w < n; ++w)
                if (w != v)
                  lengths *= edge(v, w).length;
              longest = lengths > longest ? lengths : longest;
            }
          if constexpr (dim == 2)
            smallest = determinant_of(edge(0, 1), edge(0, 2)) / regular;
          else
            smallest =
              determinant_of(edge(0, 1), edge(0, 2), edge(0, 3)) / regular;
          smallest = longest > 0. ? smallest / longest : 0.;
        }
      return smallest == smallest ? smallest : -1.;
    }

  private:
    /// Columns of J where one of the other two coordinates is 0 and 1.
    struct Row
    {
      Edge ends[2];
    };

    /// Returns the two columns in direction d. The first one begins at corner
    /// `side * step`, and the numbers of the corners of the second one are
    /// larger by `across`.
    TESSERA_HOST_DEVICE Row
    row(const int d, const int across, const int side, const int step) const
    {
      const int from = side * step, to = from + (1 << d);
      return {{edge(from, to), edge(from + across, to + across)}};
    }

    TESSERA_HOST_DEVICE static Row
    mean(const Row &a, const Row &b)
    {
      return {
        {Edge::mean(a.ends[0], b.ends[0]), Edge::mean(a.ends[1], b.ends[1])}};
    }

    /// Takes the nine points of a layer, whose columns in directions 0 and 1
    /// these are; `low` and `high` have the columns in direction 2.
    TESSERA_HOST_DEVICE static void
    take_layer(double &smallest, const Row &first, const Row &second,
               const Row &low, const Row &high)
    {
      take_line(smallest, first.ends[0], second, low);
      take_line(smallest, Edge::mean(first.ends[0], first.ends[1]), second,
                mean(low, high));
      take_line(smallest, first.ends[1], second, high);
    }

    TESSERA_HOST_DEVICE static void
    take_line(double &smallest, const Edge &first, const Row &second,
              const Row &third)
    {
      take_scaled(smallest, first, second.ends[0], third.ends[0]);
      take_scaled(smallest, first, Edge::mean(second.ends[0], second.ends[1]),
                  Edge::mean(third.ends[0], third.ends[1]));
      take_scaled(smallest, first, second.ends[1], third.ends[1]);
    }
  };

  /// Writes the quality of each cell, and finds the smallest one.
  template <CellType type>
  struct QualityOfCells
  {
    const int *corners;
    const double *points;
    double *quality;
    std::uint64_t *worst; ///< the largest ~ordered_bits of all

    TESSERA_HOST_DEVICE MeshShape<type>
    shape(const std::int64_t cell) const
    {
      constexpr int n = MeshShape<type>::n, dim = MeshShape<type>::dim;
      MeshShape<type> result;
      for (int v = 0; v < n; ++v)
        for (int d = 0; d < dim; ++d)
          result.x[v][d] =
            points[static_cast<std::int64_t>(corners[cell * n + v]) * dim + d];
      return result;
    }

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      take(cell, shape(cell).quality());
    }

    TESSERA_HOST_DEVICE void
    take(const std::int64_t cell, const double value) const
    {
      quality[cell] = value;
      leave_larger(*worst, ~ordered_bits(value));
    }
  };

  /// Finds the first cell with the smallest quality.
  struct FirstWorst
  {
    const double *quality;
    const std::uint64_t *worst;
    std::uint64_t *first; ///< the largest ~cell

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t cell) const
    {
      if (~ordered_bits(quality[cell]) == *worst)
        leave_larger(*first, ~static_cast<std::uint64_t>(cell));
    }
  };
} // namespace tessera::internal
