#pragma once

#include <tessera/operators/product_work.h>

#include "tuning.h"

// Which kernel multiplies slices, and by how many entries at a time.
namespace tessera
{
  /// Whether `n_lanes` lanes with so many entries in all have more than
  /// tuning.h calls few of such a kernel.
  inline bool
  lanes_have_many(const ProductKernel kernel, const double entries,
                  const double n_lanes, const int number_bytes)
  {
    const int few = kernel == ProductKernel::short_slices
                      ? tuning::sell_short_few / number_bytes
                      : tuning::sell_few;
    return entries > few * n_lanes;
  }

  /// Entries that a lane goes through in a round, if it has one of them or all.
  inline int
  entries_of_round(const ProductKernel kernel, const bool many)
  {
    switch (kernel)
      {
        case ProductKernel::ellpack:
          return tuning::ell_ahead;
        case ProductKernel::slices:
          return many ? tuning::sell_ahead_many : tuning::sell_ahead_few;
        case ProductKernel::packed_slices:
          return tuning::sell_packed_ahead;
        case ProductKernel::short_slices:
          return many ? tuning::sell_short_ahead_many
                      : tuning::sell_short_ahead_few;
        default:
          return 1;
      }
  }
} // namespace tessera
