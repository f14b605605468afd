#include "peer_descriptor.h"

#include <tessera/base/load_module.h>

namespace tessera::benchmarks
{
  namespace
  {
    using MakeEpetra = Operator<double> *(const SparseMatrix &);

    /// Makes y = A x by a copy of the matrix in an Epetra_CrsMatrix, with one
    /// thread. The first call loads the module, so that programs run where
    /// Trilinos is missing. Throws ParameterError with the loader's words if
    /// the module cannot be loaded, and Error if Epetra fails.
    std::unique_ptr<Operator<double>>
    make_epetra(const PeerMatrix<double> &matrix)
    {
      static auto *const make = reinterpret_cast<MakeEpetra *>(
        load_symbol("Epetra", "libtessera_epetra.so", "tessera_make_epetra"));
      return std::unique_ptr<Operator<double>>(make(*matrix.rows));
    }

    PeerDescriptor
    describe_epetra()
    {
      PeerDescriptor d{"trilinos_epetra",
                       "Trilinos' Epetra_CrsMatrix, in double with one thread",
                       "Trilinos",
                       {"application"}};
      d.works_with.device = d.works_with.several_processes = false;
      PeerProduct product{{{"class", std::string("Epetra_CrsMatrix")},
                           {"threads", std::int64_t(1)}}};
      std::get<PeerProduct::Maker<double>>(product.makers) = make_epetra;
      d.products                                           = {product};
      return d;
    }

    const Registration<PeerDescriptor> epetra_registration(describe_epetra);
  } // namespace
} // namespace tessera::benchmarks
