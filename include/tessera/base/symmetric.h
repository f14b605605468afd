#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// Returns the number of independent entries of a symmetric dim x dim tensor.
  TESSERA_HOST_DEVICE constexpr int
  n_symmetric(const int dim)
  {
    return dim * (dim + 1) / 2;
  }

  /// Returns the position of entry (a, b) in storage. The order is (00, 01, 11)
  /// in two dimensions and (00, 01, 02, 11, 12, 22) in three.
  TESSERA_HOST_DEVICE constexpr int
  symmetric_entry(const int dim, const int a, const int b)
  {
    return a <= b ? a * dim - a * (a - 1) / 2 + b - a
                  : b * dim - b * (b - 1) / 2 + a - b;
  }
} // namespace tessera
