#pragma once

#include <tessera/base/backend.h>

#include "product_work.h"

namespace tessera::spmv
{
  /// Returns the predicted time of a product in seconds. On the device it is
  ///   launch + (stored + vectors) b + gathered g + (gathered - vectors) f
  ///     + (starts w + steps s) / (4 blocks multiprocessors) + longest e
  ///     + requests r.
  /// The counts `stored`, `vectors`, `gathered`, `starts`, `steps`, `longest`
  /// and `requests` are members of ProductWork; `blocks` is the number of
  /// blocks that a multiprocessor holds, with 4 warps each. The costs, in
  /// seconds, are
  /// - launch: the launch of the kernel;
  /// - b: a byte from memory, or from the cache if all data fits there;
  /// - g: a byte of x that a block fetches;
  /// - f: the additional cost of such a byte if it is fetched again and x and y
  ///   do not fit into the cache;
  /// - w, s: the time for which a warp occupies its place at its start and for
  ///   a step, while all places are occupied;
  /// - e: an entry of the busiest thread, for which others wait at the end;
  /// - r: a sector of x that is requested.
  ///
  /// The costs launch, w, s, e and r depend on the kernel. Slices have separate
  /// costs for few and for many entries per lane (lanes_have_many.h) and for
  /// rows that are all sorted together, whose short rows come last.
  ///
  /// On the host, whose kernels go through padding, the time is
  ///   launch + padded p + vectors b + requests r
  /// with costs of its own; p is the cost of a byte of the stored matrix. The
  /// costs (product_costs.h) hold for one machine. They are
  /// fitted by scripts/fit_formats to records of spmv_benchmark.
  double
  predict_seconds(const ProductWork &work, const Product &product,
                  Backend backend);
} // namespace tessera::spmv
