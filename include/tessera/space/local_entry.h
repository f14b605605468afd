#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// Returns the position of entry (i, j) in a local matrix with n rows that is
  /// stored row by row: the whole matrix, or only its upper half (j >= i).
  TESSERA_HOST_DEVICE constexpr int
  local_entry(const bool upper, const int n, const int i, const int j)
  {
    return upper ? i * n - i * (i - 1) / 2 + j - i : i * n + j;
  }

  TESSERA_HOST_DEVICE constexpr int
  n_local_entries(const bool upper, const int n)
  {
    return upper ? n * (n + 1) / 2 : n * n;
  }
} // namespace tessera
