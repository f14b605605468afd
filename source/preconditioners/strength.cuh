#pragma once

#include <tessera/base/for_each.h>
#include <tessera/preconditioners/aggregates.h>

#include "../base/rounded_product.h"

#include <cmath>

namespace tessera
{
  /// Returns the sum of the squares of a block.
  TESSERA_HOST_DEVICE double
  square_of_block(const RowsView &a, const int row, const int k)
  {
    double sum = 0;
    for (int i = 0; i < a.row_block; ++i)
      {
        const double *const values =
          a.values_of(row, i) + static_cast<std::int64_t>(k) * a.column_block;
        for (int j = 0; j < a.column_block; ++j)
          sum += rounded_product(values[j], values[j]);
      }
    return sum;
  }

  /// Tells which neighbours of a node are strong.
  struct Strength
  {
    /// The size of a node without couplings.
    static constexpr double left_out = 1e300;

    RowsView a;
    StrengthMeasure measure;
    const double *sizes;
    double threshold; ///< squared

    /// Returns the square of what couples a node to the one of entry k.
    TESSERA_HOST_DEVICE double
    square_of_coupling(const int row, const int k) const
    {
      if (measure == StrengthMeasure::to_diagonal)
        return square_of_block(a, row, k);
      const double value = a.values[a.row_start[row] + k];
      return value < 0 ? rounded_product(value, value) : 0.;
    }

    /// Entry k of the row.
    TESSERA_HOST_DEVICE bool
    is_strong(const int row, const int k) const
    {
      const int column = a.columns_of(row)[k];
      return column != row && square_of_coupling(row, k) >
                                threshold * sizes[row] * sizes[column];
    }
  };

  /// Computes what the couplings of a node are compared with.
  struct SizeOfNode
  {
    /// Largest couplings that are a smaller part of the diagonal do not count:
    /// Jacobi's method solves such a row.
    static constexpr double no_part = 0.01;

    RowsView a;
    StrengthMeasure measure;
    double *sizes;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int row            = static_cast<int>(i);
      const int *const columns = a.columns_of(row);
      const int n              = a.length(row);
      double diagonal = 0, largest = 0;
      for (int k = 0; k < n; ++k)
        if (columns[k] == row)
          diagonal = sqrt(square_of_block(a, row, k));
        else if (-a.values[a.row_start[row] + k] > largest)
          largest = -a.values[a.row_start[row] + k];
      if (measure == StrengthMeasure::to_diagonal)
        sizes[i] = diagonal;
      else
        sizes[i] = largest > no_part * diagonal ? largest : Strength::left_out;
    }
  };

  inline Strength
  strength_of(const RowsView &A, const StrongGraph &graph)
  {
    return {A, graph.measure, graph.sizes.data(),
            graph.threshold * graph.threshold};
  }

  /// Counts the strong neighbours of a node and the node itself, or writes them
  /// if `count` is null.
  struct StrongNeighbours
  {
    Strength strength;
    int *count;
    const std::int64_t *row_start;
    int *columns;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      const int row         = static_cast<int>(i);
      const int *const of_a = strength.a.columns_of(row);
      const int n_a         = strength.a.length(row);
      if (count != nullptr)
        {
          int n = 0;
          for (int k = 0; k < n_a; ++k)
            n += strength.is_strong(row, k) ? 1 : 0;
          const bool can_follow =
            strength.measure == StrengthMeasure::to_largest &&
            strength.sizes[row] < Strength::left_out;
          count[row] = n > 0 || can_follow ? n + 1 : 0;
          return;
        }
      std::int64_t to = row_start[row];
      if (to == row_start[row + 1])
        return;
      for (int k = 0; k < n_a; ++k)
        if (of_a[k] == row || strength.is_strong(row, k))
          columns[to++] = of_a[k];
    }
  };
} // namespace tessera
