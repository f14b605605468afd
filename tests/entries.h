#pragma once

#include "oracle.h"

#include <tessera/matrix/sparsity_pattern.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera::test
{
  /// The entries a_ij by their place in the pattern. The scale of rounding is
  /// the sum of sqrt(k_ii k_jj), which bounds the terms of a cell's k_ij.
  struct Entries
  {
    std::vector<double> values, scale;

    Entries(const SparsityPattern &pattern, const Oracle &oracle)
      : values(pattern.columns.size(), 0), scale(pattern.columns.size(), 0)
    {
      const Space &space = oracle.space;
      const int n        = space.dofs_per_cell();
      for (int cell = 0; cell < space.n_cells(); ++cell)
        {
          const std::vector<double> &k = oracle.cell_matrix(cell);
          const int *dofs              = &space.cell_dofs[cell * n];
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
              if (dofs[i] < space.n_stored() && dofs[j] < space.n_stored())
                {
                  const auto begin =
                    pattern.columns.begin() + pattern.row_start[dofs[i]];
                  const auto end =
                    pattern.columns.begin() + pattern.row_start[dofs[i] + 1];
                  const auto place = std::lower_bound(begin, end, dofs[j]) -
                                     pattern.columns.begin();
                  values[place] += k[i * n + j];
                  scale[place] += std::sqrt(k[i * n + i] * k[j * n + j]);
                }
        }
    }
  };

  inline std::vector<Entries>
  all_entries(const SparsityPattern &pattern,
              const std::vector<Oracle> &oracles)
  {
    std::vector<Entries> result;
    for (const Oracle &oracle : oracles)
      result.emplace_back(pattern, oracle);
    return result;
  }
} // namespace tessera::test
