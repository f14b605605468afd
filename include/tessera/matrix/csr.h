#pragma once

#include <tessera/base/array.h>
#include <tessera/matrix/csr_pattern.h>
#include <tessera/matrix/row_addressing.h>

namespace tessera
{
  /// Whether row starts of so many nonzeros need more than 32 bits.
  bool
  needs_64_bit_offsets(std::int64_t n_nonzeros);

  /// Compressed sparse rows in the memory of one backend. Columns have 32
  /// bits; row starts 32 where the number of nonzeros allows, else 64.
  template <class Number>
  class CsrMatrix
  {
  public:
    /// Takes over a pattern; values are zero. `force_64` asks for 64-bit row
    /// starts (for tests of what large matrices use).
    explicit CsrMatrix(CsrPattern pattern, bool force_64 = false);

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

    std::int64_t
    n_nonzeros() const
    {
      return nonzeros;
    }

    /// Whether most rows have an even number of entries.
    bool
    most_rows_even() const
    {
      return even;
    }

    /// Null where row starts have 64 bits.
    const std::int32_t *
    row_start_32() const
    {
      return start_32.data();
    }

    /// Null where row starts have 32 bits.
    const std::int64_t *
    row_start_64() const
    {
      return start_64.data();
    }

    /// [n_nonzeros]
    const int *
    columns() const
    {
      return columns_array.data();
    }

    /// [n_nonzeros]
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

    /// position(row, k) = row_start[row] + k
    RowAddressing
    addressing() const
    {
      return {row_start_64(), row_start_32(), nullptr, nullptr, 1};
    }

    /// A copy on the host.
    SparsityPattern
    pattern() const;

    std::size_t
    bytes() const
    {
      return start_32.bytes() + start_64.bytes() + columns_array.bytes() +
             values_array.bytes();
    }

  private:
    int rows;
    std::int64_t nonzeros;
    bool even;
    Array<std::int32_t> start_32;
    Array<std::int64_t> start_64;
    Array<int> columns_array;
    Array<Number> values_array;
  };
} // namespace tessera
