#pragma once

#include "oracle.h"

#include <tessera/base/array.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/local_entry.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tessera::test
{
  /// Returns the largest rounding of values[n_batches][entries][lanes] in units
  /// of eps sqrt(k_ii k_jj), which bounds the terms of an entry.
  template <class Number>
  double
  worst_entry(const Array<Number> &values, const bool upper,
              const CellData<Number> &cells, const Oracle &oracle)
  {
    const std::vector<Number> all = values.to_vector();
    const int n                   = cells.space().dofs_per_cell();
    const std::size_t lanes       = cells.lanes();
    const std::size_t n_entries   = upper ? n * (n + 1) / 2 : n * n;
    std::vector<Number> entries;
    std::vector<double> reference, scale;
    for (int cell = 0; cell < cells.space().n_cells(); ++cell)
      {
        const std::vector<double> &k = oracle.cell_matrix(cell);
        std::size_t entry            = 0;
        for (int i = 0; i < n; ++i)
          for (int j = upper ? i : 0; j < n; ++j, ++entry)
            {
              EXPECT_EQ(local_entry(upper, n, i, j), int(entry));
              entries.push_back(
                all[(cell / lanes * n_entries + entry) * lanes + cell % lanes]);
              reference.push_back(k[i * n + j]);
              scale.push_back(std::sqrt(k[i * n + i] * k[j * n + j]));
            }
        EXPECT_EQ(entry, n_entries);
        EXPECT_EQ(n_local_entries(upper, n), int(n_entries));
      }
    return rounding_units(entries, reference, scale);
  }
} // namespace tessera::test
