#pragma once

#include <tessera/base/first_at_least.h>

#include "aggregates.cuh"
#include "spectrum.cuh"

namespace tessera
{
  /// A thread of the host, which has an aggregate alone.
  struct OnlyLane
  {
    static constexpr int count = 1, index = 0;

    TESSERA_HOST_DEVICE static double
    value_of(int, const double value)
    {
      return value;
    }
  };

  /// Orthonormalises the modes B of an aggregate. The values of a mode stand
  /// n_modes apart. Lanes take the rows of an aggregate in turn, and all add up
  /// the same sums in the order of the rows.
  struct OrthonormalizeAggregate
  {
    /// A mode that is so small a part of itself depends on those before it.
    static constexpr double smallest = 1e-10;

    const std::int64_t *start;
    const int *nodes;
    int row_block, n_modes;
    const double *modes;
    double *q, *r;

    template <class Lanes>
    TESSERA_HOST_DEVICE double
    dot(const Lanes lanes, const std::int64_t aggregate, const int k,
        const int l) const
    {
      double sum  = 0;
      const int n = n_rows(aggregate);
      TESSERA_ROLLED
      for (int first = 0; first < n; first += lanes.count)
        {
          double product = 0;
          if (first + lanes.index < n)
            {
              const double *const row =
                q + place_of(aggregate, first + lanes.index);
              product = rounded_product(row[k], row[l]);
            }
          for (int lane = 0; lane < lanes.count; ++lane)
            sum += lanes.value_of(lane, product);
        }
      return sum;
    }

    /// Sets mode l to factor * mode l + weight * mode k.
    template <class Lanes>
    TESSERA_HOST_DEVICE void
    combine(const Lanes lanes, const std::int64_t aggregate, const int l,
            const double factor, const int k, const double weight) const
    {
      for (int i = lanes.index; i < n_rows(aggregate); i += lanes.count)
        {
          double *const row = q + place_of(aggregate, i);
          row[l] =
            rounded_product(factor, row[l]) + rounded_product(weight, row[k]);
        }
    }

    /// Begins with Q = B.
    template <class Lanes>
    TESSERA_HOST_DEVICE void
    begin(const Lanes lanes, const std::int64_t aggregate) const
    {
      for (int i = lanes.index; i < n_rows(aggregate); i += lanes.count)
        for (int k = 0; k < n_modes; ++k)
          {
            const std::int64_t entry = place_of(aggregate, i) + k;
            q[entry]                 = modes[entry];
          }
    }

    TESSERA_HOST_DEVICE int
    n_rows(const std::int64_t aggregate) const
    {
      return static_cast<int>(start[aggregate + 1] - start[aggregate]) *
             row_block;
    }

    /// The place of the modes of row i of an aggregate.
    TESSERA_HOST_DEVICE std::int64_t
    place_of(const std::int64_t aggregate, const int i) const
    {
      if (row_block == 1)
        return static_cast<std::int64_t>(nodes[start[aggregate] + i]) * n_modes;
      const int node = nodes[start[aggregate] + i / row_block];
      return (static_cast<std::int64_t>(node) * row_block + i % row_block) *
             n_modes;
    }

    template <class Lanes>
    TESSERA_HOST_DEVICE void
    orthonormalize(const Lanes lanes, const std::int64_t aggregate) const
    {
      begin(lanes, aggregate);
      const int m          = n_modes;
      double *const factor = r + aggregate * m * m;
      const bool is_first  = lanes.index == 0;
      for (int l = 0; l < m; ++l)
        {
          const double before = sqrt(dot(lanes, aggregate, l, l));
          TESSERA_ROLLED
          for (int repeat = 0; repeat < 2; ++repeat)
            TESSERA_ROLLED
          for (int k = 0; k < l; ++k)
            {
              const double d = dot(lanes, aggregate, k, l);
              combine(lanes, aggregate, l, 1., k, -d);
              if (is_first)
                factor[k * m + l] += d;
            }
          const double after = sqrt(dot(lanes, aggregate, l, l));
          const bool is_new  = after > smallest * before;
          combine(lanes, aggregate, l, is_new ? 1 / after : 0., l, 0.);
          if (is_first)
            factor[l * m + l] = is_new ? after : 0.;
        }
    }
  };

  /// The same for n aggregates on the device, each by the lanes of a warp.
  void
  orthonormalize_on_device(const OrthonormalizeAggregate &work, std::int64_t n);

  /// A row of single entries within a row of blocks.
  struct SingleRow
  {
    int row, i, length;
    const int *columns;
    const double *values; ///< [length][block]

    TESSERA_HOST_DEVICE
    SingleRow(const RowsView &a, const std::int64_t item)
      : row(static_cast<int>(item / a.row_block)),
        i(static_cast<int>(item % a.row_block)), length(a.length(row)),
        columns(a.columns_of(row)), values(a.values_of(row, i))
    {}

    TESSERA_HOST_DEVICE double
    diagonal(const int block) const
    {
      for (int k = 0; k < length; ++k)
        if (columns[k] == row)
          return values[k * block + i];
      return 0;
    }
  };

  /// Begins Lanczos's method: the residual is a hashed number in [-1, 1) times
  /// the root of the diagonal entry.
  struct BeginLanczos
  {
    RowsView a;
    double *diagonal, *r, *z, *share;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t item) const
    {
      const double d     = SingleRow(a, item).diagonal(a.row_block);
      const double value = static_cast<double>(mix(item) >> 11) * 0x1p-52 - 1;
      diagonal[item]     = d;
      r[item]            = value * sqrt(d);
      z[item]            = r[item] / d;
      share[item]        = r[item] * z[item];
    }
  };

  struct LanczosDirection
  {
    const double *z;
    LanczosDots dots;
    int k;
    double *p;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      p[i] = z[i] + rounded_product(dots.ratio(k), p[i]);
    }
  };

  struct LanczosProduct
  {
    RowsView a;
    const double *p;
    double *q, *share;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t item) const
    {
      const SingleRow row(a, item);
      const int b = a.column_block;
      double sum  = 0;
      for (int k = 0; k < row.length; ++k)
        for (int j = 0; j < b; ++j)
          sum += rounded_product(
            row.values[k * b + j],
            p[static_cast<std::int64_t>(row.columns[k]) * b + j]);
      q[item]     = sum;
      share[item] = sum * p[item];
    }
  };

  struct LanczosStep
  {
    const double *diagonal, *q;
    LanczosDots dots;
    int k;
    double *r, *z, *share;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      r[i] -= rounded_product(dots.step(k), q[i]);
      z[i]     = r[i] / diagonal[i];
      share[i] = r[i] * z[i];
    }
  };

  struct HasAggregate
  {
    const int *aggregate_of;
    int n;
    int *count;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t node) const
    {
      count[node] = aggregate_of[node] < n ? 1 : 0;
    }
  };

  struct ColumnOfAggregate
  {
    const int *aggregate_of;
    const std::int64_t *row_start;
    int *columns;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t node) const
    {
      if (row_start[node] < row_start[node + 1])
        columns[row_start[node]] = aggregate_of[node];
    }
  };

  /// Computes a row of the smoothed prolongation.
  struct SmoothRow
  {
    Strength strength;
    const std::int64_t *strong_start; ///< of the strong neighbours
    const int *aggregate_of;
    int n_aggregates, n_modes;
    const double *modes, *q, *r; ///< B = Q R
    double weight;
    const std::int64_t *row_start;
    const int *columns;
    double *values;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t item) const
    {
      const RowsView &a = strength.a;
      const SingleRow row(a, item);
      const std::int64_t begin = row_start[row.row];
      const int n = static_cast<int>(row_start[row.row + 1] - begin);
      if (n == 0)
        return;
      const int b = a.column_block, m = n_modes;
      double *const p =
        values +
        (begin * a.row_block + static_cast<std::int64_t>(row.i) * n) * m;
      const bool has_aggregate = aggregate_of[row.row] != n_aggregates;
      if (has_aggregate &&
          strong_start[row.row + 1] - strong_start[row.row] < row.length)
        add_weak(row, place(p, columns + begin, n, row.row));
      double diagonal = 0;
      for (int k = 0; k < row.length; ++k)
        {
          const int column = row.columns[k];
          if (column == row.row)
            diagonal = row.values[k * b + row.i];
          if (aggregate_of[column] == n_aggregates || is_weak(row, k))
            continue;
          double *const to = place(p, columns + begin, n, column);
          for (int j = 0; j < b; ++j)
            for (int l = 0; l < m; ++l)
              to[l] +=
                rounded_product(row.values[k * b + j], at(q, column, j, l));
        }
      const double factor = -weight / diagonal;
      for (int k = 0; k < n * m; ++k)
        p[k] *= factor;
      if (!has_aggregate)
        return;
      double *const own = place(p, columns + begin, n, row.row);
      for (int l = 0; l < m; ++l)
        own[l] += at(q, row.row, row.i, l);
    }

  private:
    TESSERA_HOST_DEVICE bool
    is_weak(const SingleRow &row, const int k) const
    {
      return row.columns[k] != row.row && !strength.is_strong(row.row, k);
    }

    TESSERA_HOST_DEVICE double
    at(const double *const of, const int node, const int j, const int l) const
    {
      return of[(static_cast<std::int64_t>(node) * strength.a.row_block + j) *
                  n_modes +
                l];
    }

    /// Adds x to the columns of the own aggregate, where x R is the product of
    /// the weak entries and B. Modes that depend on others have no part in x.
    TESSERA_HOST_DEVICE void
    add_weak(const SingleRow &row, double *const x) const
    {
      const int b = strength.a.column_block, m = n_modes;
      TESSERA_ROLLED
      for (int k = 0; k < row.length; ++k)
        {
          if (aggregate_of[row.columns[k]] == n_aggregates || !is_weak(row, k))
            continue;
          TESSERA_ROLLED
          for (int j = 0; j < b; ++j)
            TESSERA_ROLLED
          for (int l = 0; l < m; ++l)
            x[l] += rounded_product(row.values[k * b + j],
                                    at(modes, row.columns[k], j, l));
        }
      const double *const factor =
        r + static_cast<std::int64_t>(aggregate_of[row.row]) * m * m;
      TESSERA_ROLLED
      for (int l = 0; l < m; ++l)
        {
          TESSERA_ROLLED
          for (int k = 0; k < l; ++k)
            x[l] -= rounded_product(x[k], factor[k * m + l]);
          x[l] = factor[l * m + l] > 0 ? x[l] / factor[l * m + l] : 0.;
        }
    }

    TESSERA_HOST_DEVICE double *
    place(double *const p, const int *const of_row, const int n,
          const int node) const
    {
      return p + first_at_least(of_row, n - 1, aggregate_of[node]) * n_modes;
    }
  };
} // namespace tessera
