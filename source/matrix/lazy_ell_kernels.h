#pragma once

#include <cstdint>

// How rows whose columns repeat become those of an ELLPACK matrix.
namespace tessera
{
  template <class Number>
  struct Consolidation
  {
    int n_rows;

    int from_width;
    const std::int32_t *from_lengths; ///< [n_rows]
    const int *from_columns;          ///< both: see ell_layout.h
    const Number *from_values;

    int width;             ///< of the result; 0: its lengths are counted
    std::int32_t *lengths; ///< [n_rows]
    int *columns;          ///< both: see ell_layout.h
    Number *values;
  };

  /// Counts the different columns of every row, or, where the width is known,
  /// writes them, their sums and padding.
  template <class Number>
  void
  consolidate_on_device(const Consolidation<Number> &work);
} // namespace tessera
