#pragma once

#include <tessera/matrix/ell_layout.h>

namespace tessera
{
  /// Rows in ELLPACK that assembly appends to: who has reserved places
  /// `lengths[row]` and following of a row, by increasing the length, alone
  /// writes there.
  /// values, columns: see ell_layout.h; lengths: [n_rows].
  template <class Number>
  struct AppendSink
  {
    Number *values;
    int *columns;
    std::int32_t *lengths;
    int width;
    int n_rows;

    /// Writes to a place of a row, or adds where this is not the `first` share
    /// of the entry. Columns that are not stored, those of the tail, leave a
    /// zero on the row's own column.
    TESSERA_HOST_DEVICE void
    write(const int row, const int place, const int column, const Number value,
          const bool first) const
    {
      const std::int64_t at = ell_place(row, place, width);
      const bool is_stored  = column < n_rows;
      if (first)
        {
          columns[at] = is_stored ? column : row;
          values[at]  = is_stored ? value : Number(0);
        }
      else if (is_stored)
        values[at] += value;
    }
  };
} // namespace tessera
