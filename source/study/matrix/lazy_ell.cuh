#pragma once

#include <tessera/base/for_each.h>
#include <tessera/matrix/ell_layout.h>
#include <tessera/matrix/row_matrix.h>

#include <climits>
#include <cstdint>

// Rows with repeated columns are turned into rows of an ELLPACK matrix, and
// rows of given components into rows of the identity.
namespace tessera
{
  template <class Number>
  struct Consolidation
  {
    int from_width;
    const std::int32_t *from_lengths; ///< [n_rows]
    const int *from_columns;          ///< both arrays: see ell_layout.h
    const Number *from_values;

    int width;             ///< of the result
    std::int32_t *lengths; ///< [n_rows]
    int *columns;          ///< both arrays: see ell_layout.h
    Number *values;
  };

  /// The `window` smallest of the columns that are added, in ascending order,
  /// and the sums of their entries, in the order in which they are added.
  template <int window, class Number>
  struct SmallestColumns
  {
    static constexpr int none = INT_MAX;
    int column[window];
    Number sum[window];

    TESSERA_HOST_DEVICE
    SmallestColumns()
    {
      TESSERA_UNROLL
      for (int t = 0; t < window; ++t)
        {
          column[t] = none;
          sum[t]    = Number(0);
        }
    }

    /// Adds to the sum of a known column. A new column replaces the largest
    /// one, which the next search finds again.
    TESSERA_HOST_DEVICE void
    add(const int new_column, const Number value)
    {
      bool known = false;
      TESSERA_UNROLL
      for (int t = 0; t < window; ++t)
        if (column[t] == new_column)
          {
            known = true;
            sum[t] += value;
          }
      TESSERA_UNROLL
      for (int t = window - 1; t >= 0; --t)
        {
          const int before = t > 0 ? column[t > 0 ? t - 1 : 0] : -1;
          if (!known && new_column < before)
            {
              column[t] = before;
              sum[t]    = sum[t > 0 ? t - 1 : 0];
            }
          else if (!known && new_column < column[t])
            {
              column[t] = new_column;
              sum[t]    = value;
            }
        }
    }
  };

  /// Counts the different columns of a row (`count_only`), or writes them with
  /// the sums of their entries and the padding.
  ///
  /// Goes through the row several times and finds a window of columns each
  /// time, so that it needs neither order nor memory. A row of L entries in U
  /// columns reads L (U / window + 1) columns, on a device coalesced and mostly
  /// from the caches, and the values of columns in the window. Bytes per row:
  /// 12 L read if the caches hold the rows of a block, and 12 per place of the
  /// result written. The result is repeatable.
  template <bool count_only, class Number>
  struct ConsolidateRow
  {
    Consolidation<Number> work;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      constexpr int window    = 8;
      const int length        = work.from_lengths[row];
      const std::int64_t from = ell_base(row, work.from_width);
      const int *columns      = work.from_columns + from;
      const Number *values    = work.from_values + from;
      int last = -1, n_found = 0;
      for (bool more = length > 0; more;)
        {
          SmallestColumns<window, Number> smallest;
          TESSERA_ROLLED
          for (int k = 0; k < length; ++k)
            {
              const int column = read_only(columns + k * ell_slice_rows);
              if (column > last && column <= smallest.column[window - 1])
                smallest.add(
                  column, count_only ? Number(0)
                                     : read_only(values + k * ell_slice_rows));
            }
          TESSERA_UNROLL
          for (int t = 0; t < window; ++t)
            if (smallest.column[t] != smallest.none)
              {
                if constexpr (!count_only)
                  {
                    const std::int64_t at = ell_place(row, n_found, work.width);
                    work.columns[at]      = smallest.column[t];
                    work.values[at]       = smallest.sum[t];
                  }
                ++n_found;
              }
          last = smallest.column[window - 1];
          more = last != smallest.none;
        }
      if constexpr (count_only)
        work.lengths[row] = n_found;
      else
        for (; n_found < work.width; ++n_found)
          work.columns[ell_place(row, n_found, work.width)] =
            static_cast<int>(row);
    }
  };

  /// Turns a row whose columns may repeat into the row of M A M + (1 - M).
  template <class Number>
  struct IdentityRow
  {
    RowEntries<Number> matrix;
    const unsigned char *is_given;
    int n_owned;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int row    = static_cast<int>(i);
      const int length = matrix.rows.length(row);
      const bool given = is_given[row] != 0;
      bool needs_one   = given && row < n_owned;
      for (int k = 0; k < length; ++k)
        if (const int column = matrix.column(row, k);
            given || is_given[column] != 0)
          {
            const bool one = needs_one && column == row;
            matrix.values[matrix.rows.position(row, k)] = Number(one);
            needs_one                                   = needs_one && !one;
          }
    }
  };
} // namespace tessera
