#pragma once

#include <cstdint>

// How rows whose columns repeat become those of an ELLPACK matrix.
namespace tessera
{
  template <class Number>
  struct Consolidation
  {
    int n_rows;
    std::int64_t stride; ///< of both matrices

    const std::int32_t *from_lengths; ///< [n_rows]
    const int *from_columns;          ///< [...][stride]
    const Number *from_values;        ///< [...][stride]

    int width;             ///< of the result; 0: its lengths are counted
    std::int32_t *lengths; ///< [n_rows]
    int *columns;          ///< [width][stride]
    Number *values;        ///< [width][stride]
  };

  /// Counts the different columns of every row, or, where the width is known,
  /// writes them, their sums and padding.
  template <class Number>
  void
  consolidate_on_device(const Consolidation<Number> &work);
} // namespace tessera
