#include "host_solvers.h"

#include <tessera/base/load_module.h>

namespace tessera::benchmarks
{
  namespace
  {
    using Start = void();

    Start *
    start_of(const PeerDescriptor &which)
    {
      return reinterpret_cast<Start *>(
        load_symbol(which.library, which.module.file, start_symbol));
    }
  } // namespace

  void
  load_host_solver(const PeerDescriptor &which)
  {
    start_of(which);
  }

  void
  start_host_solver(const PeerDescriptor &which)
  {
    start_of(which)();
  }

  std::unique_ptr<Solver<double>>
  make_host_solver(const PeerDescriptor &which, const SparseMatrix &matrix)
  {
    start_host_solver(which);
    const auto make = reinterpret_cast<MakeHostSolver *>(
      load_symbol(which.library, which.module.file, which.module.symbol));
    return std::unique_ptr<Solver<double>>(make(matrix));
  }

  namespace
  {
    PeerDescriptor
    describe_host_solver(const std::string &name, const std::string &sentence,
                         const std::string &library,
                         const std::string &preconditioner,
                         const PeerModule &module)
    {
      PeerDescriptor d{name, sentence, library, {"solve"}};
      d.works_with.device = false;
      d.preconditioner    = preconditioner;
      d.module            = module;
      return d;
    }

    const Registration<PeerDescriptor> petsc_jacobi_registration([]() {
      return describe_host_solver(
        "petsc_jacobi", "PETSc's KSPCG with the diagonal of A (PCJACOBI)",
        "PETSc", "jacobi",
        {"libtessera_petsc.so", "tessera_make_petsc_jacobi"});
    });
    const Registration<PeerDescriptor> petsc_block_jacobi_registration([]() {
      return describe_host_solver(
        "petsc_block_jacobi",
        "PETSc's KSPCG with ILU(0) in a block for each process, or for each "
        "thread of one process (PCBJACOBI)",
        "PETSc", "block_jacobi",
        {"libtessera_petsc.so", "tessera_make_petsc_block_jacobi"});
    });
    const Registration<PeerDescriptor> trilinos_ml_registration([]() {
      return describe_host_solver(
        "trilinos_ml",
        "AztecOO's conjugate gradients with the smoothed aggregation of ML and "
        "its defaults",
        "Trilinos", "ml", {"libtessera_ml.so", "tessera_make_ml_cg"});
    });
  } // namespace
} // namespace tessera::benchmarks
