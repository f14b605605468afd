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

  /// Returns what the environment says of them, as Open MPI, MPICH and its
  /// relatives, and Slurm set it. Nothing is started, and MPI is not needed.
  StartedProcesses
  started_processes();

  /// Returns true for a text that no call had before, in the first process: for
  /// notes on what is read or made again for every degree and cycle.
  bool
  is_first_said(const std::string &text);
} // namespace tessera::program
