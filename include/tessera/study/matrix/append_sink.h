#pragma once

#include <tessera/matrix/ell_layout.h>
#include <tessera/space/cell_data.h>

namespace tessera
{
  /// Rows in ELLPACK that assembly appends to. A thread reserves places of a
  /// row by increasing its length; the places from the old length on then
  /// belong to that thread alone.
  ///   values, columns: see ell_layout.h; lengths: [n_rows]
  template <class Number>
  struct AppendSink
  {
    Number *values;
    int *columns;
    std::int32_t *lengths;
    int width;
    int n_rows;

    /// Writes a value to a place of a row, or adds it if this is not the
    /// `first` contribution to the entry. An entry whose column is not stored,
    /// because it is in the tail, becomes a zero on the row's own column.
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

  /// Takes the next `n` places of a row of that length, on the host. Returns
  /// the first of them.
  TESSERA_HOST int
  reserve_places(std::int32_t *length, const int n, const Conflict conflict)
  {
    int first;
    if (conflict == Conflict::atomics)
      {
#pragma omp atomic capture
        {
          first = *length;
          *length += n;
        }
      }
    else
      {
        first = *length;
        *length += n;
      }
    return first;
  }
} // namespace tessera
