#pragma once

#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// A RowAddressing that the host can read. Arrays are copied only if they are
  /// on the device.
  class HostAddressing
  {
  public:
    /// Rows have a length only if `with_lengths`.
    HostAddressing(Backend backend, int n_rows, const RowAddressing &from,
                   bool with_lengths);
    HostAddressing(const HostAddressing &) = delete;

    RowAddressing rows;

  private:
    std::vector<std::int64_t> base_64, rest;
    std::vector<std::int32_t> base_32, strides, lengths;
    std::vector<std::uint8_t> log2_threads;
  };

  /// The rows of a matrix of any format and backend, readable on the host.
  class HostRows
  {
  public:
    template <class Number>
    explicit HostRows(const RowMatrix<Number> &matrix)
      : entries(matrix.backend(), matrix.n_rows(), matrix.addressing(), true),
        indices(matrix.backend(), matrix.n_rows() / matrix.blocks().n_rows,
                matrix.blocks().rows, false),
        view{matrix.n_rows(), entries.rows, matrix.columns(), nullptr,
             matrix.blocks()}
    {
      view.blocks.rows = indices.rows;
      if (matrix.backend() == Backend::host)
        return;
      columns.resize(matrix.n_column_indices());
      if (columns.empty())
        return;
      runtime::copy(columns.data(), matrix.columns(),
                    sizeof(int) * columns.size(),
                    runtime::Copy::device_to_host);
      view.columns = columns.data();
    }

    int
    length(const int row) const
    {
      return view.rows.length(row);
    }

    std::int64_t
    position(const int row, const int k) const
    {
      return view.rows.position(row, k);
    }

    /// Returns the column of entry k of a row.
    int
    column(const int row, const int k) const
    {
      return view.column(row, k);
    }

  private:
    HostAddressing entries, indices;
    std::vector<int> columns;      ///< copied ones
    RowEntries<const double> view; ///< without values
  };
} // namespace tessera
