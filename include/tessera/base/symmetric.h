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

  /// Returns true if a symmetric tensor of 3 or 6 entries, or a number, is
  /// positive definite: by the leading minors of k / max |k|.
  TESSERA_HOST_DEVICE bool
  is_positive_definite(const double *const k, const int n_entries)
  {
    double size = 0, s[6] = {};
    for (int c = 0; c < n_entries; ++c)
      size =
        (k[c] < 0 ? -k[c] : k[c]) > size ? (k[c] < 0 ? -k[c] : k[c]) : size;
    for (int c = 0; c < n_entries; ++c)
      s[c] = k[c] / size;
    if (n_entries == 1)
      return s[0] > 0;
    if (n_entries == 3)
      return s[0] > 0 && s[0] * s[2] > s[1] * s[1];
    const double minor = s[0] * s[3] - s[1] * s[1];
    return s[0] > 0 && minor > 0 &&
           s[0] * (s[3] * s[5] - s[4] * s[4]) -
               s[1] * (s[1] * s[5] - s[4] * s[2]) +
               s[2] * (s[1] * s[4] - s[3] * s[2]) >
             0;
  }
} // namespace tessera
