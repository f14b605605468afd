#pragma once

#include <tessera/operators/product_work.h>

namespace tessera
{
  /// Seconds that a product takes, from what was counted of it. On the device
  ///   launch + (stored + vectors) b + requests r + gathered g + steps s
  /// and longest e, added by their third powers: about the larger one. b is the
  /// time of a byte, of the cache where all fits in there; g that of a byte of
  /// x; r that of a sector asked for; launch, s and e are of the kernel, of
  /// slices whose rows are all sorted by themselves: these have their short
  /// rows last. On the host, whose kernels go through padding,
  ///   launch + padded s + vectors b + requests r.
  /// The constants (source/operators/product_costs.h) are those of one machine,
  /// fitted to records of spmv_benchmark by scripts/fit_formats.
  double
  predict_seconds(const ProductWork &work, const Product &product,
                  Backend backend);
} // namespace tessera
