#pragma once

#include <tessera/base/backend.h>

#include <cstdint>

namespace tessera
{
  /// Rounds `n` values of the device to float, and counts in `beyond` the
  /// finite values beyond the largest.
  void
  round_values_on_device(const double *from, float *to, std::int64_t n,
                         unsigned int *beyond, Stream stream);
} // namespace tessera
