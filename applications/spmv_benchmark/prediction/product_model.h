#pragma once

#include <tessera/base/backend.h>

#include "product_work.h"

namespace tessera::spmv
{
  /// Seconds that a product takes, from what was counted of it. On the device
  ///   launch + (stored + vectors) b + gathered g + (gathered - vectors) f
  ///     + (starts w + steps s) / (4 blocks multiprocessors) + longest e
  ///     + requests r:
  /// b is the time of a byte, g that of a byte of x that a block fetches, f
  /// what this takes more beyond once for all where x and y do not fit in the
  /// cache, in s/B; w and s how long a warp holds its place at its start and
  /// for a step, in s, while as many others as find a place, 4 in each block
  /// that a multiprocessor holds, do the same; e the time of an entry of the
  /// busiest thread, which others wait for at the end; r that of a sector of x
  /// that is asked for. b is that of the cache where all fits in there. launch,
  /// w, s, e and r are of the kernel, of slices with few entries a lane and
  /// with many (lanes_have_many.h), and of those whose rows are all sorted by
  /// themselves: these have their short rows last. On the host, whose kernels
  /// go through padding,
  ///   launch + padded p + vectors b + requests r.
  /// The constants (product_costs.h) are those of one machine,
  /// fitted to records of spmv_benchmark by scripts/fit_formats.
  double
  predict_seconds(const ProductWork &work, const Product &product,
                  Backend backend);
} // namespace tessera::spmv
