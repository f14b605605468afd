#include "epetra_operator.h"

#include <tessera/base/error.h>

#include <dlfcn.h>

namespace tessera::benchmarks
{
  namespace
  {
    /// Loads the module, which stays until the program ends.
    MakeEpetra *
    find_epetra()
    {
      void *const module = dlopen("libtessera_epetra.so", RTLD_NOW);
      void *const found =
        module == nullptr ? nullptr : dlsym(module, epetra_symbol);
      if (found == nullptr)
        throw ParameterError(std::string("Epetra cannot be loaded: ") +
                             dlerror() + '.');
      return reinterpret_cast<MakeEpetra *>(found);
    }
  } // namespace

  bool
  has_epetra()
  {
    return true;
  }

  std::unique_ptr<Operator<double>>
  make_epetra(const SparseMatrix &matrix)
  {
    static MakeEpetra *const make = find_epetra();
    return std::unique_ptr<Operator<double>>(make(matrix));
  }
} // namespace tessera::benchmarks
