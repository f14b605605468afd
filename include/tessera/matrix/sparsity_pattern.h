#pragma once

#include <tessera/space/space.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  /// The positions of the nonzeros of a matrix. Rows and columns are the local
  /// indices that have rows (`Space::n_stored`); columns increase along a row.
  struct SparsityPattern
  {
    std::vector<std::int64_t> row_start; ///< [n_rows + 1]
    std::vector<int> columns;            ///< [n_nonzeros]

    int
    n_rows() const
    {
      return static_cast<int>(row_start.size()) - 1;
    }

    std::int64_t
    n_nonzeros() const
    {
      return row_start.back();
    }

    int
    max_row_length() const;
  };

  /// Makes the pattern in which two degrees of freedom couple if they share a
  /// cell.
  SparsityPattern
  make_sparsity_pattern(const Space &space);
} // namespace tessera
