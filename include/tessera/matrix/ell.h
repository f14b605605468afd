#pragma once

#include <tessera/matrix/csr_pattern.h>
#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// Rows between the starts of two columns of ELLPACK: a multiple of 32, so
  /// that what a warp reads begins at a whole line.
  constexpr std::int64_t
  ell_stride(const int n_rows)
  {
    return (static_cast<std::int64_t>(n_rows) + 31) / 32 * 32;
  }

  /// What ELLPACK stores beside values, filled in: see EllMatrix.
  struct EllRows
  {
    int n_rows              = 0;
    int width               = 0; ///< entries of the longest row
    std::int64_t n_nonzeros = 0;
    Array<int> columns;          ///< [width][stride]
    Array<std::int32_t> lengths; ///< [n_rows]
  };

  /// ELLPACK (RegulyGiles2015, section 4.2 and figure 3): every row has as many
  /// places as the longest one, column by column.
  /// values, columns: [width][stride], row fastest; padding has value 0 and the
  /// column of its own row, or 0 beyond the rows. lengths: [n_rows].
  template <class Number>
  class EllMatrix : public RowMatrix<Number>
  {
  public:
    explicit EllMatrix(const CsrPattern &pattern);

    explicit EllMatrix(EllRows &&rows);

    int
    width() const
    {
      return this->max_row_length();
    }

    std::int64_t
    stride() const
    {
      return ell_stride(this->n_rows());
    }

    /// [n_rows]
    const std::int32_t *
    lengths() const
    {
      return row_lengths.data();
    }

    /// position(row, k) = k stride + row
    RowAddressing
    addressing() const override
    {
      return {nullptr, nullptr, nullptr, nullptr, stride(), lengths()};
    }

    std::size_t
    bytes() const override
    {
      return index_bytes() + this->bytes_of_places();
    }

    std::size_t
    index_bytes() const override
    {
      return row_lengths.bytes();
    }

  protected:
    SparsityPattern
    collect(std::vector<int> columns) const override;

    Array<std::int32_t> &
    stored_lengths()
    {
      return row_lengths;
    }

  private:
    Array<std::int32_t> row_lengths;
  };
} // namespace tessera
