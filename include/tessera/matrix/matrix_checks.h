#pragma once

#include <tessera/matrix/sparse_matrix.h>

#include <limits>
#include <string>
#include <type_traits>

namespace tessera
{
  /// Empty for rows one after the other whose columns increase and exist, and
  /// finite values. Otherwise it tells what is wrong: "has a value that is not
  /// finite in row 3, column 4" (both from 1). `first_row` is the number of
  /// rows before these, if they are a part of a matrix.
  std::string
  defect(const SparseMatrix &matrix, int first_row = 0);

  /// Throws MatrixError where a matrix has a defect.
  void
  check_matrix(const SparseMatrix &matrix, int first_row = 0);

  /// Throws MatrixError, naming row and column from 1, where a finite value is
  /// larger than `most` in magnitude; `type` is the name of what holds it.
  void
  check_at_most(const SparseMatrix &matrix, double most,
                const std::string &type);

  /// Throws MatrixError, naming the row from 1, where a row has values other
  /// than zero, but none as large as `least` in magnitude, the smallest normal
  /// number of what `type` is the name of.
  void
  check_not_lost(const SparseMatrix &matrix, double least,
                 const std::string &type);

  /// Throws MatrixError where a finite value is beyond the largest Number, or
  /// where rounding to Number leaves nothing of a row.
  template <class Number>
  void
  check_fits(const SparseMatrix &matrix)
  {
    static_assert(std::is_same_v<Number, float> ||
                  std::is_same_v<Number, double>);
    if constexpr (std::is_same_v<Number, float>)
      {
        check_at_most(matrix, std::numeric_limits<float>::max(), "float");
        check_not_lost(matrix, std::numeric_limits<float>::min(), "float");
      }
  }
} // namespace tessera
