#pragma once

#include <tessera/matrix/sparsity_pattern.h>

#include <vector>

namespace tessera
{
  /// A matrix on the host, as files and generators produce it and formats read
  /// it: compressed rows, columns increasing along a row, any shape.
  struct SparseMatrix
  {
    SparsityPattern pattern; ///< columns below `n_columns`
    int n_columns = 0;
    std::vector<double> values; ///< [n_nonzeros], along the pattern

    int
    n_rows() const
    {
      return pattern.n_rows();
    }

    std::int64_t
    n_nonzeros() const
    {
      return pattern.n_nonzeros();
    }
  };
} // namespace tessera
