#pragma once

#include <string>

namespace tessera::program
{
  /// The processes of one program that mpirun, or a program like it, started.
  struct StartedProcesses
  {
    int number = 0; ///< of this process, from 0 on
    int count  = 1;
  };

  /// Reads the environment variables of Open MPI, MPICH and its relatives, and
  /// Slurm. Nothing is started, and MPI is not needed.
  StartedProcesses
  started_processes();

  /// Returns true, in the first process, for a text that no earlier call had:
  /// for notes about steps that are repeated for every degree and cycle.
  bool
  is_first_said(const std::string &text);
} // namespace tessera::program
