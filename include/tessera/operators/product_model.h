#pragma once

#include <tessera/operators/product_work.h>

namespace tessera
{
  /// Seconds that a product takes on the device, from what was counted of it:
  ///   launch + ((stored + vectors)^2 b^2 + (requests r + gathered g +
  ///             steps s)^2)^(1/2), or longest e where that is much more,
  /// which are added by their third powers. b is the time of a byte, of the
  /// cache where all fits in there; g that of a byte of x; r of a sector asked
  /// for; launch, s and e are of the kernel. The constants
  /// (source/operators/product_costs.h) are those of a card, fitted to a
  /// record of spmv_benchmark by scripts/fit_formats.
  double
  predict_seconds(const ProductWork &work, ProductKernel kernel);
} // namespace tessera
