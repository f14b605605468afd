#include <tessera/matrix/transpose.h>

#include <numeric>

namespace tessera
{
  /// Counts the entries of every column, and then goes through the rows in
  /// their order, so that columns of the result increase without sorting.
  SparseMatrix
  transpose(const SparseMatrix &matrix)
  {
    const SparsityPattern &from = matrix.pattern;
    SparseMatrix to;
    to.n_columns = matrix.n_rows();
    to.pattern.row_start.assign(matrix.n_columns + 1, 0);
    to.pattern.columns.resize(from.columns.size());
    to.values.resize(matrix.values.size());
    for (const int column : from.columns)
      ++to.pattern.row_start[column + 1];
    std::partial_sum(to.pattern.row_start.begin(), to.pattern.row_start.end(),
                     to.pattern.row_start.begin());
    std::vector<std::int64_t> place(to.pattern.row_start.begin(),
                                    to.pattern.row_start.end() - 1);
    for (int row = 0; row < matrix.n_rows(); ++row)
      for (std::int64_t k = from.row_start[row]; k < from.row_start[row + 1];
           ++k)
        {
          const std::int64_t at  = place[from.columns[k]]++;
          to.pattern.columns[at] = row;
          to.values[at]          = matrix.values[k];
        }
    return to;
  }
} // namespace tessera
