#pragma once

#include "assemble_kernels.h"
#include "kept_metric.h"

// What SizedBlocks hands to its kernels: blocks have `n_threads` threads.
namespace tessera
{
  /// Shared memory of a block without being asked for.
  constexpr std::size_t block_shared_bytes = 48 * 1024;

  /// What a block keeps of the metric of quadrilaterals.
  constexpr std::size_t
  metric_bytes(const int n_threads, const Strategy strategy, const int degree,
               const std::size_t number_bytes)
  {
    return keeps_metric(strategy, degree, number_bytes)
             ? number_bytes * n_threads * (degree + 1) * (degree + 1)
             : 0;
  }

  template <int degree, class Number>
  void
  assemble_local_sized(const AssemblyCells<Number> &cells, int n_threads,
                       Number *values, Strategy strategy, Stream stream);

  template <int degree, class Number>
  void
  assemble_rows_sized(const AssemblyCells<Number> &cells, int n_threads,
                      const SlotSink<Number> &sink, Strategy strategy,
                      Stream stream);
} // namespace tessera
