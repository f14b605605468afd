#pragma once

#include <tessera/base/backend.h>

// What the kernel of shared_entries.cu is given.
namespace tessera
{
  /// y_i = 0 for i in [ranges[2 k], ranges[2 k + 1]), k = 0 ... n - 1.
  template <class Number>
  void
  clear_ranges(Number *y, const int *ranges, int n, Stream stream);
} // namespace tessera
