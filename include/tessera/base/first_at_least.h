#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// Returns the index of the first of n ascending values that is at least
  /// `bound`, or n if there is none.
  template <class T, class Index>
  TESSERA_HOST_DEVICE Index
  first_at_least(const T *const values, const Index n, const T bound)
  {
    Index first = 0, last = n;
    while (first < last)
      {
        const Index middle = first + (last - first) / 2;
        if (values[middle] < bound)
          first = middle + 1;
        else
          last = middle;
      }
    return first;
  }
} // namespace tessera
