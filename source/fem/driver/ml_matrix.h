#pragma once

#include <tessera/matrix/sparse_matrix.h>

#include <ml_include.h>

#include <memory>
#include <vector>

namespace tessera
{
  /// Initialises MPI unless that is done already; MPI is finalised when the
  /// program ends.
  void
  need_mpi();

  /// Throws MatrixError unless rows and columns fit the 32-bit integers of ML.
  void
  check_fits_ml(const SparseMatrix &matrix);

  /// The arrays of a matrix in the form in which ML reads compressed rows.
  /// Columns and values are not copied, so the matrix must outlive this object.
  class MlRows
  {
  public:
    explicit MlRows(const SparseMatrix &matrix);

    MlRows(const MlRows &) = delete;

    ML_CSR_MSRdata data = {};

  private:
    std::vector<int> row_start;
  };

  struct DestroyMlOperator
  {
    void
    operator()(ML_Operator *matrix) const
    {
      ML_Operator_Destroy(&matrix);
    }
  };

  using MlOperator = std::unique_ptr<ML_Operator, DestroyMlOperator>;

  /// Copies the entries of a matrix of ML. Columns increase along a row. A row
  /// without entries gets a one on the diagonal if `with_identity`.
  SparseMatrix
  rows_of(ML_Operator &matrix, int n_columns, bool with_identity);
} // namespace tessera
