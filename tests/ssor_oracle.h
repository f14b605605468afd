#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "oracle.h"

// Symmetric successive over-relaxation as in textbooks, row after row.
namespace tessera::test
{
  class SsorOracle
  {
  public:
    explicit SsorOracle(const Oracle &oracle) : rows(oracle.space.n_owned)
    {
      const Space &space = oracle.space;
      const int n        = space.dofs_per_cell();
      for (int cell = 0; cell < space.n_cells(); ++cell)
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            add(space.cell_dofs[cell * n + i], space.cell_dofs[cell * n + j],
                oracle.cell_matrix(cell)[i * n + j]);
    }

    void
    add(const int row, const int column, const double value)
    {
      const int n = static_cast<int>(rows.size());
      if (row >= n || column >= n)
        return;
      Entry &entry = rows[row][column];
      entry.value += value;
      entry.size += std::abs(value);
    }

    /// M^-1 r, and a first-order bound of the rounding of its entries.
    struct Result
    {
      std::vector<double> z, bound;
    };

    /// Solves (D / w + L) y = r, then (D / w + U) z = (2 - w) / w D y.
    Result
    apply(const std::vector<int> &color, const double w,
          const std::vector<double> &r, const double eps) const
    {
      const int n = static_cast<int>(rows.size());
      std::vector<int> order(n);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return color[a] < color[b]; });
      Result y{std::vector<double>(n), std::vector<double>(n)}, z = y;
      const auto solve = [&](const int i, const double rhs, const double error,
                             Result &x, const auto &before) {
        const Entry &diagonal = rows[i].at(i);
        double sum = rhs, scale = std::abs(rhs), carried = error;
        for (const auto &[j, entry] : rows[i])
          if (before(j))
            {
              sum -= entry.value * x.z[j];
              scale += entry.size * std::abs(x.z[j]);
              carried += entry.size * x.bound[j];
            }
        const double factor = w / diagonal.value;
        x.z[i]              = factor * sum;
        x.bound[i] =
          factor * (carried + rounding_limit * eps * scale) +
          rounding_limit * eps * factor * diagonal.size * std::abs(x.z[i]);
      };
      for (const int i : order)
        solve(i, r[i], 0, y, [&](const int j) { return color[j] < color[i]; });
      std::reverse(order.begin(), order.end());
      for (const int i : order)
        {
          const double factor = (2 - w) / w * rows[i].at(i).value;
          solve(i, factor * y.z[i], factor * y.bound[i], z,
                [&](const int j) { return color[j] > color[i]; });
        }
      return z;
    }

    /// Expects different colours of neighbours, and no unused colour.
    void
    expect_valid(const std::vector<int> &color, const int n_colors) const
    {
      ASSERT_EQ(color.size(), rows.size());
      std::vector<int> count(n_colors, 0);
      for (std::size_t i = 0; i < rows.size(); ++i)
        {
          ASSERT_LT(color[i], n_colors);
          ++count[color[i]];
          for (const auto &[j, entry] : rows[i])
            if (j != static_cast<int>(i))
              {
                EXPECT_NE(color[i], color[j]) << i << " and " << j;
              }
        }
      EXPECT_EQ(std::count(count.begin(), count.end(), 0), 0);
    }

  private:
    struct Entry
    {
      double value = 0;
      double size  = 0; ///< sum of sizes of the cells' shares
    };

    std::vector<std::map<int, Entry>> rows;
  };
} // namespace tessera::test
