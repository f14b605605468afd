#pragma once

#include <tessera/matrix/csr_pattern.h>
#include <tessera/matrix/ell_layout.h>
#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// The data of ELLPACK besides the values, see EllMatrix.
  struct EllRows
  {
    int n_rows              = 0;
    int width               = 0; ///< entries of the longest row
    std::int64_t n_nonzeros = 0;
    Array<int> columns;          ///< see ell_layout.h
    Array<std::int32_t> lengths; ///< [n_rows]
    int block = 1;               ///< rows and entries are of single components
  };

  /// ELLPACK (RegulyGiles2015, section 4.2 and figure 3): every row has as many
  /// places as the longest row has entries. Places are stored column by column,
  /// for 32 rows at a time, so that the threads of a warp read neighbouring
  /// words. Use it if the lengths of rows differ little; otherwise padding
  /// takes memory.
  ///   values, columns: [ceil(n_rows / 32)][width][32], see ell_layout.h
  ///   lengths: [n_rows]
  /// Padding has the value 0 and the column of its own row; beyond the last row
  /// it has the column 0.
  ///
  /// If the matrix consists of blocks of b x b entries, a column index is
  /// stored for each block, in the layout of a matrix that has a block as its
  /// entry:
  ///   columns: [ceil(n_rows / b / 32)][width / b][32].
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

    BlockColumns
    blocks() const override
    {
      return {block, block, ell_addressing(width() / block, nullptr)};
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
    Array<std::int32_t> &
    stored_lengths()
    {
      return row_lengths;
    }

  private:
    int block;
    Array<std::int32_t> row_lengths;
  };
} // namespace tessera
