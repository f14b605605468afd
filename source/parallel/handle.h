#pragma once

#include <tessera/base/error.h>
#include <tessera/parallel/processes.h>

// Only MPI's interface for C is used.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <string>

namespace tessera
{
  struct Processes::Handle
  {
    MPI_Comm communicator = MPI_COMM_NULL; ///< a copy of all processes
    MPI_Comm machine      = MPI_COMM_NULL; ///< the ones on this machine
    MPI_Comm ends         = MPI_COMM_NULL; ///< a copy to wait for the end

    /// False for a process that is alone without MPI.
    bool
    is_there() const
    {
      return communicator != MPI_COMM_NULL;
    }
  };

  namespace internal
  {
    /// Throws Error with the words of MPI if a call failed.
    inline void
    check_mpi(const int code, const char *const call)
    {
      if (code == MPI_SUCCESS)
        return;
      char text[MPI_MAX_ERROR_STRING];
      int length = 0;
      MPI_Error_string(code, text, &length);
      throw Error(ExitCode::other, std::string(call) + " failed: " +
                                     std::string(text, length) + '.');
    }
  } // namespace internal
} // namespace tessera
