#pragma once

#include <tessera/base/target.h>

#include <cstdint>

// How columns of compressed rows come to their places in ELLPACK and hybrid.
namespace tessera
{
  struct EllPlaces
  {
    int n_rows;
    int width;
    const std::int64_t *row_start; ///< [n_rows + 1]
    const int *from;               ///< [n_nonzeros]
    int *columns;                  ///< ELLPACK, and a rest behind it
    std::int32_t *lengths;         ///< [n_rows]
    const std::int64_t *rest;      ///< [n_rows] or null, as in RowAddressing
  };

  /// Fills columns and lengths.
  void
  fill_all_places(Backend backend, const EllPlaces &places);

  void
  fill_places_on_device(const EllPlaces &places);
} // namespace tessera
