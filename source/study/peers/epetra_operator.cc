#include "epetra_operator.h"

#include <tessera/base/load_module.h>

namespace tessera::benchmarks
{
  bool
  has_epetra()
  {
    return true;
  }

  std::unique_ptr<Operator<double>>
  make_epetra(const SparseMatrix &matrix)
  {
    static auto *const make = reinterpret_cast<MakeEpetra *>(
      load_symbol("Epetra", "libtessera_epetra.so", epetra_symbol));
    return std::unique_ptr<Operator<double>>(make(matrix));
  }
} // namespace tessera::benchmarks
