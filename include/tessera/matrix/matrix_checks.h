#pragma once

#include <tessera/matrix/sparse_matrix.h>

#include <limits>
#include <string>
#include <type_traits>

namespace tessera
{
  /// Empty if rows follow one another, their columns increase and exist, and
  /// values are finite. Otherwise the text names the defect: "has a value that
  /// is not finite in row 3, column 4" (both from 1). `first_row` is the number
  /// of rows before these, if they are a part of a matrix.
  std::string
  defect(const SparseMatrix &matrix, int first_row = 0);

  /// Throws MatrixError if a matrix has a defect.
  void
  check_matrix(const SparseMatrix &matrix, int first_row = 0);

  /// Throws MatrixError, naming row and column from 1, if a finite value is
  /// larger than `most` in magnitude; `type` is the name of its type.
  void
  check_at_most(const SparseMatrix &matrix, double most,
                const std::string &type);

  /// Throws MatrixError, naming the row from 1, if a row has nonzero values but
  /// none as large as `least` in magnitude, the smallest normal number of the
  /// type with the name `type`.
  void
  check_not_lost(const SparseMatrix &matrix, double least,
                 const std::string &type);

  /// Throws MatrixError if a finite value is beyond the largest Number, or if
  /// rounding to Number turns all values of a row into zeros.
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
