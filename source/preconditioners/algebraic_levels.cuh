#pragma once

#include "smoothed_prolongation.cuh"

namespace tessera
{
  /// What is wrong with the rows of a matrix, and the value that is.
  struct CheckRow
  {
    static constexpr int not_finite = 2, not_positive = 1;

    RowsView a;
    int *fault;
    double *value;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      double diagonal = 0;
      int result      = 0;
      for (std::int64_t k = a.row_start[row]; k < a.row_start[row + 1]; ++k)
        {
          if (!(a.values[k] - a.values[k] == 0) && result == 0)
            {
              result     = not_finite;
              value[row] = a.values[k];
            }
          if (a.columns[k] == row)
            diagonal += a.values[k];
        }
      if (result == 0 && !(diagonal > 0))
        {
          result     = not_positive;
          value[row] = diagonal;
        }
      fault[row] = result;
    }
  };

  /// Hashed numbers in [-1, 1) for the vectors of CompareTranspose.
  struct HashedVectors
  {
    double *x, *y;

    TESSERA_HOST_DEVICE static double
    x_at(const std::int64_t i)
    {
      return static_cast<double>(mix(i) >> 32) * 0x1p-31 - 1;
    }

    TESSERA_HOST_DEVICE static double
    y_at(const std::int64_t i)
    {
      return static_cast<double>(mix(i) & 0xffffffffu) * 0x1p-31 - 1;
    }

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      x[i] = x_at(i);
      y[i] = y_at(i);
    }
  };

  /// The share of a row in x . A y - y . A x, and in the sum of |x_i a_ij y_j|.
  struct CompareTranspose
  {
    RowsView a;
    const double *x, *y;
    double *difference, *size;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t row) const
    {
      double x_ay = 0, y_ax = 0, sum = 0;
      for (std::int64_t k = a.row_start[row]; k < a.row_start[row + 1]; ++k)
        {
          const double there = rounded_product(a.values[k], y[a.columns[k]]);
          x_ay += there;
          y_ax += rounded_product(a.values[k], x[a.columns[k]]);
          sum += fabs(rounded_product(x[row], there));
        }
      difference[row] =
        rounded_product(x[row], x_ay) - rounded_product(y[row], y_ax);
      size[row] = sum;
    }
  };

  /// Modes row by row from modes one after the other, or constants of the
  /// components; zero in rows that couple to no other one.
  struct BeginModes
  {
    RowsView a;
    const double *given; ///< [n_modes][n_rows], or null
    int n_modes;
    double *modes; ///< [n_rows][n_modes]

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t item) const
    {
      const SingleRow row(a, item);
      const int b   = a.column_block;
      bool is_alone = true;
      for (int k = 0; k < row.length && is_alone; ++k)
        for (int j = 0; j < b; ++j)
          if (row.values[k * b + j] != 0 &&
              (row.columns[k] != row.row || j != row.i))
            is_alone = false;
      const std::int64_t n = static_cast<std::int64_t>(a.n_rows) * b;
      for (int l = 0; l < n_modes; ++l)
        modes[item * n_modes + l] = is_alone           ? 0
                                    : given != nullptr ? given[l * n + item]
                                                       : (l == row.i ? 1 : 0);
    }
  };
} // namespace tessera
