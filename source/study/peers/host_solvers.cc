#include "host_solvers.h"

#include <tessera/base/load_module.h>

namespace tessera::benchmarks
{
  namespace
  {
    using Start = void();

    Start *
    start_of(const HostSolver &which)
    {
      return reinterpret_cast<Start *>(
        load_symbol(which.library, which.module, start_symbol));
    }
  } // namespace

  void
  load_host_solver(const HostSolver &which)
  {
    start_of(which);
  }

  void
  start_host_solver(const HostSolver &which)
  {
    start_of(which)();
  }

  std::unique_ptr<Solver<double>>
  make_host_solver(const HostSolver &which, const SparseMatrix &matrix)
  {
    start_host_solver(which);
    const auto make = reinterpret_cast<MakeHostSolver *>(
      load_symbol(which.library, which.module, which.symbol));
    return std::unique_ptr<Solver<double>>(make(matrix, which.preconditioner));
  }
} // namespace tessera::benchmarks
