#pragma once

#include <tessera/base/attributes.h>

#include "row_operator_kernels.h"

namespace tessera
{
  /// y (+)= A x for rows in sliced ELLPACK; see SellMatrix.
  template <class Number>
  struct SellApply
  {
    RowApply<Number> rows;
    int n_slices;
    int log2_lanes;        ///< of a slice
    int most_log2_threads; ///< lanes of a row
    const std::int64_t *slice_start;
    const int *slice_rows;
    const std::uint8_t *log2_threads;
    const int *permutation; ///< or null
    const std::int32_t *lengths;
    const int *columns;
    const Number *values;
  };

  /// Lanes of all slices.
  TESSERA_HOST_DEVICE constexpr std::int64_t
  sell_lanes(const int n_slices, const int log2_lanes)
  {
    return static_cast<std::int64_t>(n_slices) << log2_lanes;
  }

  /// Blocks that the kernel of the device is launched with.
  int
  sell_blocks(std::int64_t n_lanes);

  /// Slices of a block on the host, which sums up its part of x . A x by
  /// itself.
  constexpr int host_slices = 32;

  template <class Number>
  void
  apply_sell(Cuda, const SellApply<Number> &apply, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  apply_sell(Target, const SellApply<Number> &apply, Stream stream);
} // namespace tessera
