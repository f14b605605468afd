#pragma once

#include <tessera/matrix/csr_pattern.h>
#include <tessera/matrix/ell_layout.h>
#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// ELLPACK (RegulyGiles2015, section 4.2 and figure 3): every row has as many
  /// places as the longest one, column by column, 32 rows at a time.
  /// values, columns: [ceil(n_rows / 32)][width][32], see ell_layout.h; padding
  /// has value 0 and the column of its own row, or 0 beyond the rows. lengths:
  /// [n_rows].
  template <class Number>
  class EllMatrix : public RowMatrix<Number>
  {
  public:
    explicit EllMatrix(const CsrPattern &pattern);

    int
    width() const
    {
      return this->max_row_length();
    }

    /// [n_rows]
    const std::int32_t *
    lengths() const
    {
      return row_lengths.data();
    }

    /// position(row, k) = ell_place(row, k, width)
    RowAddressing
    addressing() const override
    {
      return ell_addressing(width(), lengths());
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

  private:
    /// What the constructor makes of a pattern.
    struct Places
    {
      Array<int> columns;
      Array<std::int32_t> lengths;
    };

    static Places
    make_places(const CsrPattern &pattern);

    EllMatrix(const CsrPattern &pattern, Places &&places);

    Array<std::int32_t> row_lengths;
  };
} // namespace tessera
