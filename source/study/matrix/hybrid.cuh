#pragma once

#include <tessera/base/for_each.h>
#include <tessera/matrix/ell_layout.h>

// How rows are cut at a width, each on its own.
namespace tessera
{
  /// Entries beyond the width, and 1 where there are some.
  struct RestOfRows
  {
    const std::int32_t *lengths; ///< [n_rows]
    int width;
    int *entries; ///< [n_rows]
    int *some;    ///< [n_rows]

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      entries[row] = lengths[row] > width ? lengths[row] - width : 0;
      some[row]    = entries[row] > 0;
    }
  };

  /// Fills `rest`, `rest_rows` and `rest_start` by what comes before a row.
  struct HybridPlaces
  {
    int n_rows;
    int width;
    const std::int64_t *n_rest;      ///< [n_rows + 1]: entries beyond the width
    const std::int64_t *n_rest_rows; ///< [n_rows + 1]: rows that have some
    std::int64_t *rest;              ///< [n_rows], as in RowAddressing
    int *rest_rows;                  ///< [n_rest_rows]
    std::int64_t *rest_start;        ///< [n_rest_rows + 1]

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      const std::int64_t first = width * ell_padded_rows(n_rows);
      const std::int64_t begin = first + n_rest[row];
      const std::int64_t end   = first + n_rest[row + 1];
      rest[row]                = begin - width - ell_base(row, width);
      if (row == 0)
        rest_start[0] = first;
      if (begin < end)
        {
          const std::int64_t i = n_rest_rows[row];
          rest_rows[i]         = static_cast<int>(row);
          rest_start[i + 1]    = end;
        }
    }
  };
} // namespace tessera
