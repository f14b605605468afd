#pragma once

#include <tessera/base/for_each.h>
#include <tessera/space/space.h>

namespace tessera
{
  /// Returns the same weights by source: sources increase, and so do the
  /// entries that follow from one.
  LinearConstraints
  transposed(const LinearConstraints &constraints);

  /// x_i = value at the entries of a list.
  template <class Number>
  struct Setting
  {
    const int *entries;
    Number *x;
    Number value;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t k) const
    {
      x[entries[k]] = value;
    }
  };

  /// Keeps x_i, and y_i where `add` is set, and sets x_i = 0.
  template <class Number>
  struct Hiding
  {
    const int *entries;
    Number *x;
    const Number *y;
    bool add;
    Number *kept_x, *kept_y;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t k) const
    {
      const int i = entries[k];
      kept_x[k]   = x[i];
      kept_y[k]   = add ? y[i] : Number(0);
      x[i]        = Number(0);
    }
  };

  /// Restores x_i and sets y_i; sums up x_i^2.
  template <class Number>
  struct Showing : Pass
  {
    static constexpr int n_sums = 1;
    const int *entries;
    Number *x, *y;
    const Number *kept_x, *kept_y;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t k, Scalars) const
    {
      const int i = entries[k];
      x[i]        = kept_x[k];
      y[i]        = kept_y[k] + kept_x[k];
    }

    TESSERA_HOST_DEVICE double
    share(int, const std::int64_t k) const
    {
      return double(kept_x[k]) * double(kept_x[k]);
    }
  };

  /// *to += *from.
  struct Increase
  {
    double *to;
    const double *from;

    TESSERA_HOST_DEVICE void
    operator()(std::int64_t) const
    {
      *to += *from;
    }
  };

  /// The sums of a list of weighted entries, one for each `entry`.
  template <class Number>
  struct WeightedSums
  {
    const int *entry;
    const std::int64_t *start;
    const int *source;
    const Number *weight;
    Number *x;
    bool add; ///< if true, the old values of x are added

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t k) const
    {
      Number sum = add ? x[entry[k]] : Number(0);
      for (std::int64_t m = start[k]; m < start[k + 1]; ++m)
        sum += weight[m] * x[source[m]];
      x[entry[k]] = sum;
    }
  };
} // namespace tessera
