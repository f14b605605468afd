#pragma once

#include "tuning.h"

// Which kernel multiplies slices.
namespace tessera
{
  /// True if `n_lanes` lanes with so many entries in all have more than
  /// tuning.h calls few for such columns.
  inline bool
  lanes_have_many(const bool short_columns, const double entries,
                  const double n_lanes, const int number_bytes)
  {
    const int few =
      short_columns ? tuning::sell_short_few / number_bytes : tuning::sell_few;
    return entries > few * n_lanes;
  }
} // namespace tessera
