#pragma once

#include "peer_descriptor.h"

namespace tessera::benchmarks
{
  /// A function of every module that starts its library.
  constexpr char start_symbol[] = "tessera_start";

  /// The type of what a module exports (PeerModule). If several processes of
  /// MPI run, all of them call it and the functions of the solver at the same
  /// time; matrix and vectors belong to process 0, and are empty in the others.
  using MakeHostSolver = Solver<double> *(const SparseMatrix &matrix);

  /// Loads the module. Throws ParameterError with the loader's words if that
  /// fails.
  void
  load_host_solver(const PeerDescriptor &which);

  /// Loads the module and starts the library, in one process without `mpirun`
  /// and in all with it. Throws what `load_host_solver` throws.
  void
  start_host_solver(const PeerDescriptor &which);

  /// Makes the peer's solver for a copy of the matrix. Throws what
  /// `load_host_solver` throws, and Error if the library fails.
  std::unique_ptr<Solver<double>>
  make_host_solver(const PeerDescriptor &which, const SparseMatrix &matrix);
} // namespace tessera::benchmarks
