#pragma once

#include <tessera/base/array.h>
#include <tessera/matrix/row_addressing.h>
#include <tessera/matrix/sparsity_pattern.h>

namespace tessera
{
  /// The entries that share a stored column index. In a matrix of blocks of b x
  /// b entries, entry k of a row belongs to block k / b, and the index of the
  /// block times b is the first column of the block. The index stands at
  ///   rows.position(row / n_rows, k / b).
  struct BlockColumns
  {
    int size           = 1; ///< b
    int n_rows         = 1; ///< that share the indices: b, or 1
    RowAddressing rows = {};
  };

  /// The entries of a row matrix as kernels see them: entry k of row r is
  /// stored at rows.position(r, k). Columns increase with k, except in rows
  /// that assembly appends to, where they are unsorted and may repeat;
  /// `pattern()` has each column once.
  template <class Number>
  struct RowEntries
  {
    int n_rows;
    RowAddressing rows;
    const int *columns;
    Number *values;
    BlockColumns blocks = {};

    TESSERA_HOST_DEVICE int
    column(const int row, const int k) const
    {
      if (blocks.size == 1)
        return columns[rows.position(row, k)];
      return blocks.size * columns[blocks.rows.position(row / blocks.n_rows,
                                                        k / blocks.size)] +
             k % blocks.size;
    }
  };

  /// Base class of matrices that store rows in the memory of one backend, in
  /// any format. A format has places for entries, some of which may be padding.
  /// Columns have 32 bits. Values are zero after construction.
  template <class Number>
  class RowMatrix
  {
  public:
    virtual ~RowMatrix() = default;

    Backend
    backend() const
    {
      return columns_array.backend();
    }

    int
    n_rows() const
    {
      return rows;
    }

    /// Returns the number of entries of all rows, without padding.
    std::int64_t
    n_nonzeros() const
    {
      return nonzeros;
    }

    /// Returns the number of entries of the longest row.
    int
    max_row_length() const
    {
      return longest;
    }

    /// [places]: the column at each place; `addressing` tells which row and
    /// entry a place belongs to. For blocks, the indices described by `blocks`.
    const int *
    columns() const
    {
      return columns_array.data();
    }

    std::size_t
    n_column_indices() const
    {
      return columns_array.size();
    }

    /// [places]: the value at each place.
    const Array<Number> &
    values() const
    {
      return values_array;
    }

    Array<Number> &
    values()
    {
      return values_array;
    }

    /// Returns where assembly finds the entries of a row.
    virtual RowAddressing
    addressing() const = 0;

    /// Tells which entries share a column index. Formats that store blocks
    /// redefine it; values stand where they do with single entries.
    virtual BlockColumns
    blocks() const
    {
      return {};
    }

    RowEntries<const Number>
    entries() const
    {
      return {rows, addressing(), columns(), values_array.data(), blocks()};
    }

    RowEntries<Number>
    entries()
    {
      return {rows, addressing(), columns(), values_array.data(), blocks()};
    }

    /// Returns rows and columns on the host, without padding.
    virtual SparsityPattern
    pattern() const;

    /// Returns the bytes that are stored, including padding.
    virtual std::size_t
    bytes() const = 0;

    /// Returns the bytes that a product reads besides values and columns.
    virtual std::size_t
    index_bytes() const = 0;

    /// Returns the bytes that a product must read, without padding.
    std::size_t
    bytes_of_product() const
    {
      const BlockColumns shared = blocks();
      return nonzeros * sizeof(Number) +
             nonzeros / (shared.size * shared.n_rows) * sizeof(int) +
             index_bytes();
    }

    /// Returns the number of places per entry: 1 without padding.
    double
    padding() const
    {
      return nonzeros == 0 ? 1.
                           : static_cast<double>(values_array.size()) /
                               static_cast<double>(nonzeros);
    }

  protected:
    RowMatrix(const int n_rows, const std::int64_t n_nonzeros,
              const int max_row_length, Array<int> columns)
      : RowMatrix(n_rows, n_nonzeros, max_row_length, std::move(columns),
                  columns.size())
    {}

    /// A matrix with other numbers of places and column indices.
    RowMatrix(const int n_rows, const std::int64_t n_nonzeros,
              const int max_row_length, Array<int> columns,
              const std::size_t n_places)
      : rows(n_rows), nonzeros(n_nonzeros), longest(max_row_length),
        columns_array(std::move(columns)),
        values_array(columns_array.backend(), n_places)
    {}

    RowMatrix(RowMatrix &&) = default;
    RowMatrix &
    operator=(RowMatrix &&) = default;

    Array<int> &
    stored_columns()
    {
      return columns_array;
    }

    std::size_t
    bytes_of_places() const
    {
      return columns_array.bytes() + values_array.bytes();
    }

  private:
    int rows;
    std::int64_t nonzeros;
    int longest;
    Array<int> columns_array;
    Array<Number> values_array;
  };
} // namespace tessera
