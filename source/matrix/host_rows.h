#pragma once

#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// The rows of a matrix of any format and backend, readable on the host.
  /// Arrays are copied only if they are on the device.
  class HostRows
  {
  public:
    template <class Number>
    explicit HostRows(const RowMatrix<Number> &matrix)
      : HostRows(matrix.backend(), matrix.n_rows(), matrix.addressing(),
                 matrix.columns(), matrix.values().size())
    {}

    HostRows(const HostRows &) = delete;

    int
    length(const int row) const
    {
      return rows.length(row);
    }

    std::int64_t
    position(const int row, const int k) const
    {
      return rows.position(row, k);
    }

    /// Returns the column of entry k of a row.
    int
    column(const int row, const int k) const
    {
      return columns[position(row, k)];
    }

  private:
    HostRows(Backend backend, int n_rows, const RowAddressing &from,
             const int *columns, std::size_t n_places);

    RowAddressing rows;
    const int *columns;

    // Copies of arrays of the device; empty if the matrix is on the host.
    std::vector<int> copied_columns;
    std::vector<std::int64_t> base_64, rest;
    std::vector<std::int32_t> base_32, strides, lengths;
    std::vector<std::uint8_t> log2_threads;
  };
} // namespace tessera
