#include "epetra_matrix.h"
#include "peer.h"

namespace tessera::benchmarks
{
  namespace
  {
    std::vector<int>
    row_lengths(const dealii::SparseMatrix<double> &matrix)
    {
      std::vector<int> lengths(matrix.m());
      for (unsigned int i = 0; i < lengths.size(); ++i)
        lengths[i] = matrix.get_row_length(i);
      return lengths;
    }

    class EpetraPeer : public Peer
    {
    public:
      explicit EpetraPeer(const dealii::SparseMatrix<double> &from)
        : of(row_lengths(from), static_cast<int>(from.n()),
             [&](const int row, auto &columns, auto &values) {
               for (auto entry = from.begin(row); entry != from.end(row);
                    ++entry)
                 {
                   columns.push_back(entry->column());
                   values.push_back(entry->value());
                 }
             }),
          x(of.columns), result(of.rows)
      {}

      void
      set_x(const unsigned int i, const double value) override
      {
        x[i] = value;
      }

      double
      y(const unsigned int i) const override
      {
        return result[i];
      }

      void
      vmult() override
      {
        check_epetra(of.matrix.Multiply(false, x, result));
      }

    private:
      EpetraMatrix of;
      Epetra_Vector x, result;
    };
  } // namespace

  std::unique_ptr<Peer>
  make_epetra(const dealii::SparseMatrix<double> &matrix)
  {
    return std::make_unique<EpetraPeer>(matrix);
  }
} // namespace tessera::benchmarks
