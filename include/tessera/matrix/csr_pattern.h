#pragma once

#include <tessera/base/array.h>
#include <tessera/matrix/sparsity_pattern.h>
#include <tessera/space/cell_data.h>

#include <cstdint>

namespace tessera
{
  /// A sparsity pattern in the memory of one backend, and what formats ask of
  /// it.
  struct CsrPattern
  {
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

  /// The pattern of `make_sparsity_pattern`, made where the cells are. On the
  /// device a warp makes a row: it takes the smallest column that is left of
  /// those of the cells around, until there is none. Meshes with a vertex of
  /// very many cells are left to the host.
  template <class Number>
  CsrPattern
  make_csr_pattern(const CellData<Number> &cells);
} // namespace tessera
