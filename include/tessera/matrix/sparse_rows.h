#pragma once

#include <tessera/base/array.h>
#include <tessera/base/attributes.h>
#include <tessera/matrix/csr_pattern.h>
#include <tessera/matrix/row_matrix.h>
#include <tessera/matrix/sparse_matrix.h>

#include <cstdint>

namespace tessera
{
  /// Compressed rows of blocks as kernels read them. Each entry of a row is a
  /// block of [row_block][column_block] values. Component i of a row has its
  /// values side by side, so that they are also the compressed rows of single
  /// entries:
  ///   value (i, j) of entry k of row r stands at
  ///   row_start[r] * row_block * column_block
  ///     + (i * length(r) + k) * column_block + j.
  struct RowsView
  {
    int n_rows, n_columns, row_block, column_block;
    const std::int64_t *row_start; ///< [n_rows + 1]
    const int *columns;            ///< increasing along a row
    const double *values;

    TESSERA_HOST_DEVICE int
    length(const int row) const
    {
      return static_cast<int>(row_start[row + 1] - row_start[row]);
    }

    TESSERA_HOST_DEVICE const int *
    columns_of(const int row) const
    {
      return columns + row_start[row];
    }

    /// Returns the values of component i of a row: [length(row)][column_block].
    TESSERA_HOST_DEVICE const double *
    values_of(const int row, const int i) const
    {
      return values + (row_start[row] * row_block +
                       static_cast<std::int64_t>(i) * length(row)) *
                        column_block;
    }

    std::int64_t
    n_values(const std::int64_t n_entries) const
    {
      return n_entries * row_block * column_block;
    }
  };

  /// Compressed rows of blocks in the memory of one backend, as set-up makes
  /// and multiplies them. Values are double, also where solvers use float,
  /// because sums of coarse levels cancel.
  struct SparseRows
  {
    int n_rows = 0, n_columns = 0; ///< of blocks
    int row_block = 1, column_block = 1;
    Array<std::int64_t> row_start; ///< [n_rows + 1]
    Array<int> columns;            ///< [n_entries()], increasing along a row
    Array<double> values;          ///< [n_entries()] blocks

    SparseRows() = default;

    /// Copies a matrix of the host to a backend.
    SparseRows(const SparseMatrix &matrix, Backend backend);

    Backend
    backend() const
    {
      return row_start.backend();
    }

    std::int64_t
    n_entries() const
    {
      return static_cast<std::int64_t>(columns.size());
    }

    std::int64_t
    n_nonzeros() const
    {
      return n_entries() * row_block * column_block;
    }

    RowsView
    view() const
    {
      return {n_rows,           n_columns,      row_block,    column_block,
              row_start.data(), columns.data(), values.data()};
    }
  };

  /// Returns the starts of rows of these lengths: [lengths.size() + 1].
  Array<std::int64_t>
  starts_of(const Array<int> &lengths);

  /// Returns the last start, which is the number of entries.
  std::int64_t
  last_of(const Array<std::int64_t> &starts);

  /// Returns the view of a matrix of the host without a copy.
  RowsView
  view(const SparseMatrix &matrix);

  /// Copies the rows of a matrix of any format within the memory of its
  /// backend, with single entries. `csr` without blocks is copied where it is,
  /// other formats by way of the host (collect_rows.h). The result has
  /// `n_columns` columns.
  template <class Number>
  SparseRows
  copy_rows(const RowMatrix<Number> &matrix, int n_columns);

  /// Returns 1 for rows that couple to no other row, such as rows of given
  /// values, [n_rows]. The matrix has single entries.
  Array<char>
  rows_alone(const RowsView &A, Backend backend);

  /// Copies rows to the host, with single entries.
  SparseMatrix
  to_host(const SparseRows &rows);

  /// Returns the transpose. On the device, n_entries() is less than 2^31.
  SparseRows
  transpose(const SparseRows &rows);

  /// Returns the pattern of blocks of b x b entries of a square matrix with
  /// single entries: a block exists if one of its entries exists. Values are
  /// zero. b is at most `max_block`.
  SparseRows
  make_block_pattern(const RowsView &single, int b, Backend backend);

  constexpr int max_block = 8;

  /// Copies the values of single entries into the blocks of such a pattern.
  void
  place_in_blocks(const RowsView &single, SparseRows &blocks);

  /// Returns the pattern of single entries, in the order of the values.
  CsrPattern
  single_entries(const SparseRows &rows);
} // namespace tessera
