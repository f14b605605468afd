#include "peer.h"

#include <tessera/base/error.h>

#include <Epetra_CrsMatrix.h>
#include <Epetra_Map.h>
#include <Epetra_MpiComm.h>
#include <Epetra_Vector.h>

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
        : communicator(MPI_COMM_SELF),
          map(static_cast<int>(from.m()), 0, communicator),
          matrix(Copy, map, row_lengths(from).data(), true), x(map), result(map)
      {
        std::vector<int> columns;
        std::vector<double> values;
        for (int row = 0; row < map.NumMyElements(); ++row)
          {
            columns.clear();
            values.clear();
            for (auto entry = from.begin(row); entry != from.end(row); ++entry)
              {
                columns.push_back(entry->column());
                values.push_back(entry->value());
              }
            check(matrix.InsertGlobalValues(row,
                                            static_cast<int>(columns.size()),
                                            values.data(), columns.data()));
          }
        check(matrix.FillComplete());
        check(matrix.OptimizeStorage());
      }

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
        check(matrix.Multiply(false, x, result));
      }

    private:
      /// Negative codes are errors.
      static void
      check(const int code)
      {
        if (code < 0)
          throw Error(ExitCode::other,
                      "Epetra failed with code " + std::to_string(code) + '.');
      }

      Epetra_MpiComm communicator;
      Epetra_Map map;
      Epetra_CrsMatrix matrix;
      Epetra_Vector x, result;
    };
  } // namespace

  std::unique_ptr<Peer>
  make_epetra(const dealii::SparseMatrix<double> &matrix)
  {
    return std::make_unique<EpetraPeer>(matrix);
  }
} // namespace tessera::benchmarks
