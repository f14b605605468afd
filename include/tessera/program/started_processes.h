#pragma once

namespace tessera::program
{
  /// The processes of one program that mpirun, or a program like it, started.
  struct StartedProcesses
  {
    int number = 0; ///< of this process, from 0 on
    int count  = 1;
  };

  /// Returns what the environment says of them, as Open MPI, MPICH and its
  /// relatives, and Slurm set it. Nothing is started, and MPI is not needed.
  StartedProcesses
  started_processes();
} // namespace tessera::program
