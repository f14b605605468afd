#pragma once

#include <tessera/base/for_each.h>

namespace tessera
{
  /// What Activation::observe does with node i.
  template <class Number>
  struct ObservePotential
  {
    const Number *before, *after;
    Number *activated, *repolarised;
    Number rising, falling, time, step;

    /// The time at which the potential passes the threshold.
    TESSERA_HOST_DEVICE Number
    crossing(const std::int64_t i, const Number threshold) const
    {
      return time + step * (threshold - before[i]) / (after[i] - before[i]);
    }

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      // A time that is not a number is none.
      const bool was_activated = activated[i] == activated[i];
      if (!was_activated && before[i] < rising && after[i] >= rising)
        activated[i] = crossing(i, rising);
      else if (was_activated && !(repolarised[i] == repolarised[i]) &&
               before[i] > falling && after[i] <= falling)
        repolarised[i] = crossing(i, falling);
    }
  };
} // namespace tessera
