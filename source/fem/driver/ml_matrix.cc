#include "ml_matrix.h"

#include <tessera/base/error.h>

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace tessera
{
  namespace
  {
    void
    finalize_mpi()
    {
      int is_finalized = 0;
      MPI_Finalized(&is_finalized);
      if (is_finalized == 0)
        MPI_Finalize();
    }
  } // namespace


  void
  need_mpi()
  {
    int is_initialized = 0;
    MPI_Initialized(&is_initialized);
    if (is_initialized != 0)
      return;
    if (MPI_Init(nullptr, nullptr) != MPI_SUCCESS)
      throw Error(ExitCode::other,
                  "MPI, which the library ML needs, cannot be initialised.");
    std::atexit(finalize_mpi);
  }


  void
  check_fits_ml(const SparseMatrix &matrix)
  {
    if (matrix.n_nonzeros() > std::numeric_limits<int>::max())
      throw MatrixError("The matrix has " +
                        std::to_string(matrix.n_nonzeros()) +
                        " entries, of which the library ML counts at most " +
                        std::to_string(std::numeric_limits<int>::max()) +
                        "; choose another preconditioner.");
  }


  MlRows::MlRows(const SparseMatrix &matrix)
    : row_start(matrix.pattern.row_start.begin(),
                matrix.pattern.row_start.end())
  {
    check_fits_ml(matrix);
    data.columns = const_cast<int *>(matrix.pattern.columns.data());
    data.values  = const_cast<double *>(matrix.values.data());
    data.rowptr  = row_start.data();
    data.Nnz     = static_cast<int>(matrix.n_nonzeros());
    data.Nrows   = matrix.n_rows();
    data.Ncols   = matrix.n_columns;
  }


  SparseMatrix
  rows_of(ML_Operator &matrix, const int n_columns, const bool with_identity)
  {
    SparseMatrix result;
    result.n_columns = n_columns;
    result.pattern.row_start.push_back(0);
    std::vector<int> columns(64);
    std::vector<double> values(64);
    std::vector<std::pair<int, double>> row;
    for (int r = 0; r < matrix.outvec_leng; ++r)
      {
        int length = 0;
        while (ML_Operator_Getrow(&matrix, 1, &r,
                                  static_cast<int>(values.size()),
                                  columns.data(), values.data(), &length) == 0)
          {
            columns.resize(2 * columns.size());
            values.resize(2 * values.size());
          }
        row.clear();
        bool is_empty = true;
        for (int k = 0; k < length; ++k)
          {
            row.emplace_back(columns[k], values[k]);
            is_empty = is_empty && values[k] == 0.;
          }
        if (is_empty && with_identity)
          row.assign(1, {r, 1.});
        std::sort(row.begin(), row.end());
        for (const auto &[column, value] : row)
          {
            result.pattern.columns.push_back(column);
            result.values.push_back(value);
          }
        result.pattern.row_start.push_back(
          static_cast<std::int64_t>(result.values.size()));
      }
    return result;
  }
} // namespace tessera
