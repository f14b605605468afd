#pragma once

#include <tessera/base/for_each.h>

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

  /// Fills `lower` with w / D_i A_ij for the columns j that come before i in
  /// the order of places, `upper` with those for the columns behind, and both
  /// with padding, one place at a time. Also computes scale_i = (2 - w) w /
  /// D_i.
  template <class Number>
  struct SsorFill
  {
    RowEntries<const Number> rows;
    const int *place_of; ///< [n_rows]
    const int *row_at;   ///< [n_places]; -1 for unused places
    SlicesToFill<Number> lower, upper;
    Number *scale; ///< [n_rows]
    Number relaxation;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int place = static_cast<int>(i);
      SliceWriter<Number> before(lower, place), behind(upper, place);
      const int row    = row_at[place];
      const int length = row < 0 ? 0 : rows.rows.length(row);
      Number diagonal  = Number(0);
      for (int k = 0; k < length; ++k)
        if (rows.column(row, k) == row)
          diagonal = rows.values[rows.rows.position(row, k)];
      const Number factor = relaxation / diagonal;
      if (row >= 0)
        scale[row] = (Number(2) - relaxation) * factor;
      for (int k = 0; k < length; ++k)
        {
          const int column = rows.column(row, k);
          if (column == row)
            continue;
          const int other    = place_of[column];
          const Number value = factor * rows.values[rows.rows.position(row, k)];
          if (other < place)
            before.put(other, value);
          else
            behind.put(other, value);
        }
      before.finish();
      behind.finish();
    }
  };

  /// y[place[row]] = scale[row] r[row]. Moves 3 numbers and an index per row.
  /// The places of neighbouring rows form one run per colour; the L2 cache
  /// combines these writes.
  template <class Number>
  struct ToPlaces
  {
    Number *y;
    const Number *r, *scale;
    const int *place;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      y[read_only(place + row)] = read_only(scale + row) * read_only(r + row);
    }
  };

  /// z[row] = y[place[row]]. Moves 2 numbers and an index per row.
  template <class Number>
  struct FromPlaces
  {
    Number *z;
    const Number *y;
    const int *place;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      z[row] = read_only(y + read_only(place + row));
    }
  };
} // namespace tessera
