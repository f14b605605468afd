#pragma once

#include <tessera/base/attributes.h>

#include "round_values.h"

#include <cfloat>

namespace tessera
{
  /// True if a value is finite and its magnitude exceeds the largest float.
  TESSERA_HOST_DEVICE bool
  is_beyond_float(const double value)
  {
    const double size = value < 0 ? -value : value;
    return size > FLT_MAX && size <= DBL_MAX;
  }
} // namespace tessera
