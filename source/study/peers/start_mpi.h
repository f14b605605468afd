#pragma once

#include <mpi.h>

#include <cstdlib>

namespace tessera::benchmarks
{
  /// Starts MPI with one process unless it runs already; it ends with the
  /// program. Libraries that were built with MPI need this.
  inline void
  start_mpi()
  {
    int started = 0;
    MPI_Initialized(&started);
    if (started != 0)
      return;
    MPI_Init(nullptr, nullptr);
    std::atexit([]() { MPI_Finalize(); });
  }
} // namespace tessera::benchmarks
