#include "peer.h"

#include <tessera/base/error.h>

namespace tessera::benchmarks
{
  std::unique_ptr<Peer>
  make_epetra(const dealii::SparseMatrix<double> &)
  {
    throw ParameterError("deal.II was built without Trilinos.");
  }
} // namespace tessera::benchmarks
