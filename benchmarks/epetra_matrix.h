#pragma once

#include <tessera/base/error.h>

#include <Epetra_CrsMatrix.h>
#include <Epetra_Map.h>
#include <Epetra_SerialComm.h>
#include <Epetra_Vector.h>

#include <string>
#include <vector>

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

  /// A matrix of Epetra with what it refers to, filled and packed. It
  /// multiplies with one thread unless Epetra was built with OpenMP.
  struct EpetraMatrix
  {
    Epetra_SerialComm communicator;
    Epetra_Map rows, columns;
    Epetra_CrsMatrix matrix;

    /// Calls `fill(row, columns, values)`, which appends the entries of a row.
    template <class Fill>
    EpetraMatrix(const std::vector<int> &lengths, const int n_columns,
                 const Fill &fill)
      : rows(static_cast<int>(lengths.size()), 0, communicator),
        columns(n_columns, 0, communicator),
        matrix(Copy, rows, lengths.data(), true)
    {
      std::vector<int> of_row;
      std::vector<double> values;
      for (int row = 0; row < rows.NumMyElements(); ++row)
        {
          of_row.clear();
          values.clear();
          fill(row, of_row, values);
          if (!of_row.empty())
            check_epetra(
              matrix.InsertGlobalValues(row, static_cast<int>(of_row.size()),
                                        values.data(), of_row.data()));
        }
      check_epetra(matrix.FillComplete(columns, rows));
      check_epetra(matrix.OptimizeStorage());
    }
  };
} // namespace tessera::benchmarks
