#pragma once

#include <cstdint>

// Rows with repeated columns are turned into rows of an ELLPACK matrix.
namespace tessera
{
  template <class Number>
  struct Consolidation
  {
    int n_rows;

    int from_width;
    const std::int32_t *from_lengths; ///< [n_rows]
    const int *from_columns;          ///< both arrays: see ell_layout.h
    const Number *from_values;

    int width;             ///< of the result, or 0 to count its lengths
    std::int32_t *lengths; ///< [n_rows]
    int *columns;          ///< both arrays: see ell_layout.h
    Number *values;
  };

  /// Counts the different columns of every row if `width` is 0; otherwise
  /// writes the columns, their sums and the padding.
  template <class Number>
  void
  consolidate_on_device(const Consolidation<Number> &work);
} // namespace tessera
