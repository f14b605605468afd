#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// Place of entry (i, j) among those of a local matrix of n rows: all, or
  /// the upper half (j >= i), row by row.
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
