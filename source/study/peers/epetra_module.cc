// This is a module of its own, so that Trilinos is loaded only when it is asked
// for.
#include "epetra_matrix.h"
#include "peer_operator.h"

#include <Epetra_SerialComm.h>
#include <Epetra_Vector.h>

namespace tessera::benchmarks
{
  namespace
  {
    /// It multiplies with one thread unless Epetra was built with OpenMP.
    class EpetraOperator : public PeerOperator<double>
    {
    public:
      explicit EpetraOperator(const SparseMatrix &from)
        : PeerOperator<double>(Backend::host, from.n_rows(),
                               columns_beyond_rows(from)),
          n_nonzeros(from.n_nonzeros()), copy(from, communicator),
          nothing(std::max(n_owned() + n_tail(), 1)),
          x_view(View, copy.columns, nothing.data()),
          y_view(View, copy.rows, nothing.data())
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
        check_epetra(copy.matrix.Multiply(false, x_view, y_view));
      }

    private:
      std::uint64_t n_nonzeros;
      Epetra_SerialComm communicator;
      EpetraCopy copy;
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
