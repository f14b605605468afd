#pragma once

#include "row_operator_kernels.h"

namespace tessera
{
  /// y (+)= A x for rows of compressed storage.
  template <class Number, class Offset>
  struct CsrApply
  {
    RowApply<Number> rows;
    const Offset *row_start; ///< [n_rows + 1]
    const int *columns;      ///< [n_nonzeros]
    const Number *values;    ///< [n_nonzeros]
    const int *row_list;     ///< [n_rows]: which rows; null: all. For T > 0
    int threads_per_row;     ///< on the device: T, or as ThreadsPerRow says
    int rows_per_block;      ///< of the device's kernels
    bool pad;                ///< most rows have an even number of entries
    int block = 1;           ///< b: b x b entries share an index of `columns`
    const std::int64_t *block_start = nullptr; ///< [n_rows / b + 1], of them
  };

  /// The number of threads a row where none are staged: as few as leave each at
  /// most some entries of a mean row, and no more of the longest than a tile
  /// has.
  template <class Number>
  int
  csr_threads(double mean_length, int max_length);

  /// How often the next column is the neighbour of an entry's column, for the
  /// next entry of its row and for the same entry of the next row.
  struct ColumnNeighbours
  {
    unsigned int along, across;
  };

  /// Counts neighbouring columns in rows that are spread over the whole matrix.
  /// Waits for the device.
  template <class Offset>
  ColumnNeighbours
  count_neighbours(const Offset *row_start, const int *columns, int n_rows);

  /// Rows of a block of the device's kernels for rows of that mean length.
  template <class Number>
  int
  csr_rows_per_block(int threads_per_row, double mean_length);

  template <class Number, class Offset>
  void
  apply_csr(Cuda, const CsrApply<Number, Offset> &apply, Stream stream);

  template <class Number, class Offset, class Target, IfHost<Target> = 0>
  void
  apply_csr(Target, const CsrApply<Number, Offset> &apply, Stream stream);
} // namespace tessera
