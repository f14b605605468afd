#pragma once

#include <tessera/base/backend.h>
#include <tessera/matrix/row_addressing.h>

// How entries of compressed rows come to their places in any format.
namespace tessera
{
  template <class T>
  struct RowPlaces
  {
    int n_rows;
    const std::int64_t *row_start; ///< [n_rows + 1]
    const T *from;                 ///< [n_nonzeros]
    RowAddressing rows;
    T *to;
    /// [n_rows] or null: places of rows, which beyond their entries get the
    /// number of their row.
    const std::int32_t *widths = nullptr;
  };

  template <class T>
  void
  place_all_rows(Backend backend, const RowPlaces<T> &places, Stream stream);

  template <class T>
  void
  place_rows_on_device(const RowPlaces<T> &places, Stream stream);
} // namespace tessera
