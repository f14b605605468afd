#pragma once

#include <tessera/base/device.cuh>

namespace tessera::device
{
  /// Puts `value` into a place that has the number `free`, and returns the
  /// former number. Of several threads that find a place free, one gets it, and
  /// the others are returned the value of that thread.
#ifdef __CUDACC__
  TESSERA_DEVICE int
  claim(int *const place, const int free, const int value)
  {
    const int found = *static_cast<volatile int *>(place);
    return found != free ? found : atomicCAS(place, free, value);
  }
#else
  __attribute__((noinline, no_sanitize("thread"))) inline int
  claim(int *const place, const int free, const int value)
  {
    shim::note_atomic(place, sizeof(int), __builtin_return_address(0));
    const int found = *place;
    if (found == free)
      *place = value;
    return found;
  }
#endif
} // namespace tessera::device
