#pragma once

#include "solver.h"

#include <tessera/matrix/sparse_matrix.h>

namespace tessera::benchmarks
{
  /// A solver of another library on the host.
  struct HostSolver
  {
    const char *name;           ///< of the peer in parameter files
    const char *library;        ///< in the record
    const char *preconditioner; ///< in the record
    const char *module;         ///< file that is loaded
    const char *symbol;         ///< of type MakeHostSolver in the module
  };

  /// A function of every module that starts its library.
  constexpr char start_symbol[] = "tessera_start";

  /// The type of what a module exports. If several processes of MPI run, all
  /// of them call it and the functions of the solver at the same time; matrix
  /// and vectors belong to process 0, and are empty in the others.
  using MakeHostSolver = Solver<double> *(const SparseMatrix &matrix,
                                          const char *preconditioner);

  /// One array for the whole program, so that an index says which solver it is.
  inline constexpr HostSolver host_solvers[] = {
    {"petsc_jacobi", "PETSc", "jacobi", "libtessera_petsc.so",
     "tessera_make_petsc_cg"},
    {"petsc_block_jacobi", "PETSc", "block_jacobi", "libtessera_petsc.so",
     "tessera_make_petsc_cg"},
    {"trilinos_ml", "Trilinos", "ml", "libtessera_ml.so",
     "tessera_make_ml_cg"}};

  /// Loads the module. Throws ParameterError with the loader's words if that
  /// fails.
  void
  load_host_solver(const HostSolver &which);

  /// Loads the module and starts the library, in one process without `mpirun`
  /// and in all with it. Throws what `load_host_solver` throws.
  void
  start_host_solver(const HostSolver &which);

  /// Makes a solver of the list for a copy of the matrix. Throws what
  /// `load_host_solver` throws, and Error if the library fails.
  std::unique_ptr<Solver<double>>
  make_host_solver(const HostSolver &which, const SparseMatrix &matrix);
} // namespace tessera::benchmarks
