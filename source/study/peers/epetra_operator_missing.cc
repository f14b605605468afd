#include "epetra_operator.h"

#include <tessera/base/error.h>

namespace tessera::benchmarks
{
  bool
  has_epetra()
  {
    return false;
  }

  std::unique_ptr<Operator<double>>
  make_epetra(const SparseMatrix &)
  {
    throw ParameterError("Epetra is not in this build.");
  }
} // namespace tessera::benchmarks
