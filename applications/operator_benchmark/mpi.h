#pragma once

#include <deal.II/base/mpi.h>

#include <array>
#include <csignal>

/// MPI as long as it lives, of one process that needs no mpirun.
class Mpi
{
public:
  Mpi();

private:
  /// Puts back the handlers of signals that libraries set for themselves.
  struct Handlers
  {
    Handlers();

    void
    restore() const;

    std::array<struct sigaction, 3> actions;
  };

  int n_arguments  = 0;
  char **arguments = nullptr;
  Handlers handlers;
  dealii::Utilities::MPI::MPI_InitFinalize initialized;
};
