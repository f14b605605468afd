// This is a module of its own, so that Trilinos is loaded only when it is asked
// for.
#include "epetra_matrix.h"
#include "epetra_operator.h"
#include "peer_operator.h"

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

    class EpetraOperator : public PeerOperator<double>
    {
    public:
      explicit EpetraOperator(const SparseMatrix &from)
        : PeerOperator<double>(Backend::host, from.n_rows(),
                               columns_beyond_rows(from)),
          n_nonzeros(from.n_nonzeros()),
          of(row_lengths(from.pattern),
             from.n_rows() + columns_beyond_rows(from),
             [&](const int row, auto &columns, auto &values) {
               const auto first = from.pattern.row_start[row];
               const auto last  = from.pattern.row_start[row + 1];
               columns.assign(from.pattern.columns.begin() + first,
                              from.pattern.columns.begin() + last);
               values.assign(from.values.begin() + first,
                             from.values.begin() + last);
             }),
          nothing(std::max(n_owned() + n_tail(), 1)),
          x_view(View, of.columns, nothing.data()),
          y_view(View, of.rows, nothing.data())
      {}

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
        check_epetra(of.matrix.Multiply(false, x_view, y_view));
      }

    private:
      std::uint64_t n_nonzeros;
      EpetraMatrix of;
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
