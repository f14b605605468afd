#pragma once

#include <tessera/matrix/csr_pattern.h>
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
    /// [n_rows] or null: `width` for all. Places of rows, which beyond their
    /// entries get the number of their row.
    const std::int32_t *widths = nullptr;
    std::int32_t width         = 0;
  };

  /// Columns of a pattern, which may be gone afterwards; `widths` and `width`
  /// as in RowPlaces.
  void
  place_columns(const CsrPattern &pattern, const RowAddressing &rows, int *to,
                const std::int32_t *widths, std::int32_t width = 0);

  /// Places the entries of all rows with a thread per entry.
  template <class T>
  void
  place_entries_on_device(const RowPlaces<T> &places, std::int64_t n_entries,
                          Stream stream);
} // namespace tessera
