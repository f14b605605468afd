#include <tessera/base/error.h>
#include <tessera/matrix/matrix_checks.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tessera
{
  namespace
  {
    std::string
    place(const std::int64_t row, const std::int64_t column)
    {
      return "in row " + std::to_string(row + 1) + ", column " +
             std::to_string(column + 1);
    }
  } // namespace


  std::string
  defect(const SparseMatrix &matrix, const int first_row)
  {
    const std::int64_t before = first_row;
    const auto &start         = matrix.pattern.row_start;
    const auto &columns       = matrix.pattern.columns;
    const auto n_stored       = static_cast<std::int64_t>(columns.size());
    if (start.empty() || start.size() > std::numeric_limits<int>::max() ||
        matrix.n_columns < 0)
      return "has no legal numbers of rows and columns";
    if (start[0] != 0 || start.back() != n_stored ||
        matrix.values.size() != columns.size())
      return "has row starts, columns and values that do not fit together";
    for (int row = 0; row < matrix.n_rows(); ++row)
      {
        if (start[row + 1] < start[row] || start[row + 1] > n_stored)
          return "has row starts that do not increase at row " +
                 std::to_string(before + row + 1);
        int least = 0;
        for (std::int64_t k = start[row]; k < start[row + 1]; ++k)
          {
            if (columns[k] < least || columns[k] >= matrix.n_columns)
              return "has a column that does not exist or does not increase " +
                     place(before + row, columns[k]);
            least = columns[k] + 1;
            if (!std::isfinite(matrix.values[k]))
              return "has a value that is not finite " +
                     place(before + row, columns[k]);
          }
      }
    return "";
  }


  void
  check_matrix(const SparseMatrix &matrix, const int first_row)
  {
    const std::string what = defect(matrix, first_row);
    if (!what.empty())
      throw MatrixError("The matrix " + what + ".");
  }


  void
  check_at_most(const SparseMatrix &matrix, const double most,
                const std::string &type)
  {
    const auto &start = matrix.pattern.row_start;
    for (int row = 0; row < matrix.n_rows(); ++row)
      for (std::int64_t k = start[row]; k < start[row + 1]; ++k)
        if (const double value = matrix.values[k];
            std::isfinite(value) && std::abs(value) > most)
          {
            std::ostringstream sentence;
            sentence << "The matrix has the value " << value << ' '
                     << place(row, matrix.pattern.columns[k])
                     << ", which is beyond the largest " << type << ", " << most
                     << '.';
            throw MatrixError(sentence.str());
          }
  }


  void
  check_not_lost(const SparseMatrix &matrix, const double least,
                 const std::string &type)
  {
    const auto &start = matrix.pattern.row_start;
    for (int row = 0; row < matrix.n_rows(); ++row)
      {
        double largest = 0;
        for (std::int64_t k = start[row]; k < start[row + 1]; ++k)
          largest = std::max(largest, std::abs(matrix.values[k]));
        if (largest == 0 || largest >= least)
          continue;
        std::ostringstream sentence;
        sentence << "The matrix has no value beyond " << largest << " in row "
                 << row + 1 << ", which is below the smallest " << type << ", "
                 << least << '.';
        throw MatrixError(sentence.str());
      }
  }
} // namespace tessera
