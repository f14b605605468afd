#pragma once

#include <tessera/base/array.h>
#include <tessera/matrix/sparsity_pattern.h>
#include <tessera/space/cell_data.h>

#include <cstdint>
#include <stdexcept>

namespace tessera
{
  /// A sparsity pattern in the memory of one backend, with the properties that
  /// formats depend on. If `block` is b > 1, rows and columns are nodes with b
  /// components, and an entry stands for b x b entries of the matrix.
  struct CsrPattern
  {
    int block = 1;
    Array<std::int64_t> row_start; ///< [n_rows + 1]
    Array<int> columns;            ///< [n_nonzeros], increasing along a row
    std::int64_t n_nonzeros = 0;
    int n_rows              = 0;
    int max_row_length      = 0;
    bool most_rows_even     = false;

    CsrPattern() = default;

    CsrPattern(const SparsityPattern &pattern, Backend backend);

    Backend
    backend() const
    {
      return row_start.backend();
    }
  };

  /// Returns the pattern with a row and a column for each component of a node,
  /// on the same backend; components of a node follow one another. Without
  /// blocks, this is the pattern itself.
  CsrPattern
  without_blocks(CsrPattern pattern);

  /// Throws std::logic_error if a format that stores single entries is given a
  /// matrix or a pattern of blocks.
  inline void
  require_single_entries(const int block)
  {
    if (block != 1)
      throw std::logic_error("a format of single entries was given blocks");
  }

  /// Makes the pattern of `make_sparsity_pattern` on the backend of the cells.
  /// On the device a warp makes a row: it repeatedly takes the smallest
  /// remaining column of the adjacent cells until none is left. A mesh with a
  /// vertex of very many cells is processed on the host.
  template <class Number>
  CsrPattern
  make_csr_pattern(const CellData<Number> &cells);
} // namespace tessera
