#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// Returns a b, rounded. A device would add it to a sum without rounding it,
  /// and the sum would have other bits than on the host, which is compiled for
  /// processors without such an instruction.
  TESSERA_HOST_DEVICE double
  rounded_product(const double a, const double b)
  {
#ifdef __CUDA_ARCH__
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
  }
} // namespace tessera
