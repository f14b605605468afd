#pragma once

#include <tessera/matrix/csr_pattern.h>
#include <tessera/matrix/row_addressing.h>

// Entries of compressed rows are copied to their places in any format.
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
    /// Places per row, [n_rows]; if null, every row has `width`. Places behind
    /// the entries of a row are filled with the number of the row.
    const std::int32_t *widths = nullptr;
    std::int32_t width         = 0;
  };

  /// Places the columns of a pattern, which is not needed afterwards; `widths`
  /// and `width` are the members of RowPlaces.
  void
  place_columns(const CsrPattern &pattern, const RowAddressing &rows, int *to,
                const std::int32_t *widths, std::int32_t width = 0);

  /// Places the entries of all rows with a thread per entry.
  template <class T>
  void
  place_entries_on_device(const RowPlaces<T> &places, std::int64_t n_entries,
                          Stream stream);
} // namespace tessera
