#pragma once

#include <host_solvers.h>

#include <functional>
#include <memory>

/// Runs a program that `mpirun` may have started several times. Process 0 calls
/// `study`, and the others sleep until a peer on the host needs them; each
/// wakes a thousand times a second. Without `mpirun` it only calls `study`.
/// Returns the exit code. An error in a process other than 0, or in a solver
/// that all share, ends all processes with a sentence.
int
run_with_processes(const std::function<int()> &study);

/// Starts the library of a peer in all processes, which then wait for its
/// solver and no longer sleep. Throws ParameterError if it cannot be loaded, or
/// if the matrix has less rows than there are processes or too many entries to
/// be shared out.
void
start_peer(const tessera::benchmarks::PeerDescriptor &peer,
           const tessera::SparseMatrix &matrix);

/// Makes the solver in all processes after `start_peer`. They sleep again when
/// it is destroyed.
std::unique_ptr<tessera::benchmarks::Solver<double>>
make_peer(const tessera::benchmarks::PeerDescriptor &peer,
          const tessera::SparseMatrix &matrix);
