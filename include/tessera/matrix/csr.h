#pragma once

#include <tessera/matrix/csr_pattern.h>
#include <tessera/matrix/row_matrix.h>

namespace tessera
{
  /// True if the row starts of a matrix with this many nonzeros need more than
  /// 32 bits.
  bool
  needs_64_bit_offsets(std::int64_t n_nonzeros);

  /// Compressed sparse rows: the entries of all rows, row after row and without
  /// padding. Row starts have 32 bits if the number of nonzeros allows, and 64
  /// otherwise.
  ///   values, columns: [n_nonzeros]; row starts: [n_rows + 1]
  /// A matrix may consist of blocks of b x b entries. The b rows of a block
  /// then share their column indices:
  ///   columns: [n_nonzeros / b^2]; starts of blocks: [n_rows / b + 1]
  template <class Number>
  class CsrMatrix : public RowMatrix<Number>
  {
  public:
    /// Takes ownership of a pattern. `force_64` requests 64-bit row starts, so
    /// that tests can cover the case of large matrices.
    explicit CsrMatrix(CsrPattern pattern, bool force_64 = false);

    /// True if most rows have an even number of entries.
    bool
    most_rows_even() const
    {
      return even;
    }

    /// Returns null if row starts have 64 bits.
    const std::int32_t *
    row_start_32() const
    {
      return start_32.data();
    }

    /// Returns null if row starts have 32 bits.
    const std::int64_t *
    row_start_64() const
    {
      return start_64.data();
    }

    /// position(row, k) = row_start[row] + k
    RowAddressing
    addressing() const override
    {
      return {row_start_64(), row_start_32(), nullptr, nullptr, 1};
    }

    BlockColumns
    blocks() const override
    {
      return {block, block, {block_start.data(), nullptr, nullptr, nullptr, 1}};
    }

    std::size_t
    bytes() const override
    {
      return index_bytes() + this->bytes_of_places();
    }

    std::size_t
    index_bytes() const override
    {
      return start_32.bytes() + start_64.bytes() + block_start.bytes();
    }

  private:
    bool even;
    int block;
    Array<std::int64_t> block_start; ///< empty without blocks
    Array<std::int32_t> start_32;
    Array<std::int64_t> start_64;
  };
} // namespace tessera
