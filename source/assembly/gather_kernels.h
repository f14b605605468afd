#pragma once

#include <tessera/assembly/gather.h>
#include <tessera/base/target.h>

// What the second pass of Gather hands to its kernels.
namespace tessera
{
  template <class Number>
  struct GatherRows
  {
    const std::int64_t *start;
    const unsigned int *entries; ///< cell n + node
    const Number *matrices; ///< [n_batches][m (m + 1) / 2][lanes], of m rows
    SlotSink<Number> sink;
    int n_components;
  };

  template <class E, class Number>
  void
  gather_rows(Cuda, const GatherRows<Number> &rows, Stream stream);

  template <class E, class Number, class Target, IfHost<Target> = 0>
  void
  gather_rows(Target, const GatherRows<Number> &rows, Stream stream);
} // namespace tessera
