#pragma once

#include <tessera/assembly/options.h>

#include <cstddef>

namespace tessera
{
  /// Whether a thread that assembles a quadrilateral keeps a component of the
  /// metric at its (degree + 1)^2 points in shared memory; see device_emit.cuh.
  constexpr bool
  keeps_metric(const Strategy strategy, const int degree,
               const std::size_t number_bytes)
  {
    return strategy == Strategy::local_reuse && degree == 4 &&
           number_bytes == 8;
  }
} // namespace tessera
