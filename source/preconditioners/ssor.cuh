#pragma once

#include "color_order.h"
#include "ssor_kernels.h"

// Functions that the kernels of device and host share.
namespace tessera
{
  /// Writes the entries of one row of a slice one after the other, and then
  /// fills the row with padding.
  template <class Number>
  class SliceWriter
  {
  public:
    TESSERA_HOST_DEVICE
    SliceWriter(const SlicesToFill<Number> &rows, const int place)
      : rows(rows), place(place),
        at(rows.start[place / slice_rows] * slice_rows + place % slice_rows),
        end(rows.start[place / slice_rows + 1] * slice_rows)
    {}

    TESSERA_HOST_DEVICE void
    put(const int column, const Number value)
    {
      rows.columns[at] = column;
      rows.values[at]  = value;
      at += slice_rows;
    }

    TESSERA_HOST_DEVICE void
    finish()
    {
      while (at < end)
        put(place, Number(0));
    }

  private:
    const SlicesToFill<Number> &rows;
    int place;
    std::int64_t at, end;
  };

  template <class Number>
  TESSERA_HOST_DEVICE void
  fill_place(const SsorFill<Number> &fill, const int place)
  {
    SliceWriter<Number> lower(fill.lower, place), upper(fill.upper, place);
    const RowEntries<const Number> &entries = fill.rows;
    const int row                           = fill.row[place];
    const int length = row < 0 ? 0 : entries.rows.length(row);
    Number diagonal  = Number(0);
    for (int k = 0; k < length; ++k)
      {
        const std::int64_t at = entries.rows.position(row, k);
        if (entries.columns[at] == row)
          diagonal = entries.values[at];
      }
    const Number factor = fill.relaxation / diagonal;
    if (row >= 0)
      fill.scale[row] = (Number(2) - fill.relaxation) * factor;
    for (int k = 0; k < length; ++k)
      {
        const std::int64_t at = entries.rows.position(row, k);
        const int column      = entries.columns[at];
        if (column == row)
          continue;
        const int other    = fill.place[column];
        const Number value = factor * entries.values[at];
        if (other < place)
          lower.put(other, value);
        else
          upper.put(other, value);
      }
    lower.finish();
    upper.finish();
  }
} // namespace tessera
