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

  /// A copy of a matrix, as wide as it has rows or wider. Each process of the
  /// communicator gives the rows that it has, the first process the first.
  struct EpetraCopy
  {
    EpetraCopy(const SparseMatrix &local, const Epetra_Comm &communicator)
      : rows(-1, local.n_rows(), 0, communicator),
        columns(-1,
                local.n_rows() +
                  std::max(local.n_columns - rows.NumGlobalElements(), 0),
                0, communicator),
        matrix(Copy, rows, row_lengths(local.pattern).data(), true)
    {
      for (int row = 0; row < local.n_rows(); ++row)
        {
          const auto first = local.pattern.row_start[row];
          const int n =
            static_cast<int>(local.pattern.row_start[row + 1] - first);
          if (n > 0)
            check_epetra(matrix.InsertGlobalValues(
              rows.GID(row), n, local.values.data() + first,
              local.pattern.columns.data() + first));
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
