#pragma once

#include <tessera/base/error.h>
#include <tessera/matrix/sparse_matrix.h>

#include <Epetra_CrsMatrix.h>
#include <Epetra_Map.h>

#include <algorithm>

// What the modules that copy our matrices to Epetra share.
namespace tessera::benchmarks
{
  /// Throws Error if the code is negative.
  inline void
  check_epetra(const int code)
  {
    if (code < 0)
      throw Error(ExitCode::other,
                  "Epetra failed with code " + std::to_string(code) + '.');
  }

  inline int
  columns_beyond_rows(const SparseMatrix &matrix)
  {
    return std::max(matrix.n_columns - matrix.n_rows(), 0);
  }

  /// A copy of a matrix in one process, as wide as it has rows or wider.
  struct EpetraCopy
  {
    EpetraCopy(const SparseMatrix &from, const Epetra_Comm &communicator)
      : rows(from.n_rows(), 0, communicator),
        columns(from.n_rows() + columns_beyond_rows(from), 0, communicator),
        matrix(Copy, rows, row_lengths(from.pattern).data(), true)
    {
      for (int row = 0; row < from.n_rows(); ++row)
        {
          const auto first = from.pattern.row_start[row];
          const int n =
            static_cast<int>(from.pattern.row_start[row + 1] - first);
          if (n > 0)
            check_epetra(
              matrix.InsertGlobalValues(row, n, from.values.data() + first,
                                        from.pattern.columns.data() + first));
        }
      check_epetra(matrix.FillComplete(columns, rows));
      check_epetra(matrix.OptimizeStorage());
    }

    Epetra_Map rows, columns;
    Epetra_CrsMatrix matrix;

  private:
    static std::vector<int>
    row_lengths(const SparsityPattern &pattern)
    {
      std::vector<int> lengths(pattern.n_rows());
      for (std::size_t row = 0; row < lengths.size(); ++row)
        lengths[row] =
          static_cast<int>(pattern.row_start[row + 1] - pattern.row_start[row]);
      return lengths;
    }
  };
} // namespace tessera::benchmarks
