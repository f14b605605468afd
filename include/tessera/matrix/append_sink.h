#pragma once

#include <tessera/base/attributes.h>

#include <cstdint>

namespace tessera
{
  /// Rows stored column by column that assembly appends to: who has reserved
  /// places `lengths[row]` and following of a row, by increasing the length,
  /// alone writes there.
  /// values, columns: [width][stride], row fastest; lengths: [n_rows].
  template <class Number>
  struct AppendSink
  {
    Number *values;
    int *columns;
    std::int32_t *lengths;
    std::int64_t stride;
    int n_rows;

    /// Writes to a place of a row, or adds where this is not the `first` share
    /// of the entry. Columns that are not stored, those of the tail, leave a
    /// zero on the row's own column.
    TESSERA_HOST_DEVICE void
    write(const int row, const int place, const int column, const Number value,
          const bool first) const
    {
      const std::int64_t at = place * stride + row;
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
