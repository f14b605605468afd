#pragma once

#include <tessera/base/backend.h>

#include <cstdint>

namespace tessera
{
  /// Where rows are cut at `width`. `n_rest...` are sums over the rows before.
  struct HybridPlaces
  {
    int n_rows;
    int width;
    const std::int64_t *n_rest;      ///< [n_rows + 1]: entries beyond the width
    const std::int64_t *n_rest_rows; ///< [n_rows + 1]: rows with such entries
    std::int64_t *rest;              ///< [n_rows], as in RowAddressing
    int *rest_rows;                  ///< [n_rest_rows]
    std::int64_t *rest_start;        ///< [n_rest_rows + 1]
  };

  /// Sets for each row its entries beyond the width, and 1 if there are any.
  void
  count_rest_on_device(const std::int32_t *lengths, int n_rows, int width,
                       int *entries, int *rows);

  /// Fills `rest`, `rest_rows` and `rest_start`.
  void
  fill_hybrid_on_device(const HybridPlaces &places);
} // namespace tessera
