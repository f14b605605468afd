// This is a module of its own, so that Trilinos is loaded only when it is asked
// for.
#include "epetra_operator.h"
#include "peer_operator.h"

#include <tessera/base/error.h>

#include <Epetra_CrsMatrix.h>
#include <Epetra_Map.h>
#include <Epetra_SerialComm.h>
#include <Epetra_Vector.h>

#include <algorithm>

namespace tessera::benchmarks
{
  namespace
  {
    std::vector<int>
    row_lengths(const SparsityPattern &pattern)
    {
      std::vector<int> lengths(pattern.n_rows());
      for (std::size_t row = 0; row < lengths.size(); ++row)
        lengths[row] =
          static_cast<int>(pattern.row_start[row + 1] - pattern.row_start[row]);
      return lengths;
    }

    int
    columns_beyond_rows(const SparseMatrix &matrix)
    {
      return std::max(matrix.n_columns - matrix.n_rows(), 0);
    }

    /// Throws Error if the code is negative.
    void
    check_epetra(const int code)
    {
      if (code < 0)
        throw Error(ExitCode::other,
                    "Epetra failed with code " + std::to_string(code) + '.');
    }

    /// It multiplies with one thread unless Epetra was built with OpenMP.
    class EpetraOperator : public PeerOperator<double>
    {
    public:
      explicit EpetraOperator(const SparseMatrix &from)
        : PeerOperator<double>(Backend::host, from.n_rows(),
                               columns_beyond_rows(from)),
          n_nonzeros(from.n_nonzeros()), rows(from.n_rows(), 0, communicator),
          columns(from.n_rows() + columns_beyond_rows(from), 0, communicator),
          matrix(Copy, rows, row_lengths(from.pattern).data(), true),
          nothing(std::max(n_owned() + n_tail(), 1)),
          x_view(View, columns, nothing.data()),
          y_view(View, rows, nothing.data())
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

      Traffic
      traffic() const override
      {
        const std::uint64_t rows   = n_owned();
        const std::uint64_t stored = 12 * n_nonzeros + 4 * (rows + 1);
        return {stored + 16 * rows, stored};
      }

      bool
      repeatable() const override
      {
        return true;
      }

    protected:
      void
      multiply(Vector<double> &y, const Vector<double> &x,
               Stream) const override
      {
        double *from = const_cast<double *>(x.data()), *to = y.data();
        check_epetra(x_view.ResetView(&from));
        check_epetra(y_view.ResetView(&to));
        check_epetra(matrix.Multiply(false, x_view, y_view));
      }

    private:
      std::uint64_t n_nonzeros;
      Epetra_SerialComm communicator;
      Epetra_Map rows, columns;
      Epetra_CrsMatrix matrix;
      std::vector<double> nothing; ///< initial target of the views
      mutable Epetra_Vector x_view, y_view;
    };
  } // namespace
} // namespace tessera::benchmarks

extern "C" tessera::Operator<double> *
tessera_make_epetra(const tessera::SparseMatrix &matrix)
{
  return new tessera::benchmarks::EpetraOperator(matrix);
}
