#include "processes.h"

#include <start_mpi.h>

#include <tessera/base/counted.h>
#include <tessera/base/failure.h>
#include <tessera/parallel/processes.h>

#include <omp.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

using namespace tessera;
using benchmarks::HostSolver;

namespace
{
  /// What process 0 tells the others.
  struct Command
  {
    enum What
    {
      start, ///< the library of the peer
      make,  ///< the solver of the peer
      solve,
      free, ///< the solver
      end
    };

    What what                 = end;
    int peer                  = 0; ///< index in `host_solvers`
    int max_iterations        = 0;
    double relative_tolerance = 0, absolute_tolerance = 0;
  };

  /// Set if the processes no longer wait for the same.
  bool diverged = false;

  /// Something that all processes would have had to do failed in one. It is no
  /// tessera::Error, which would end one row of the study alone.
  class ProcessError : public std::runtime_error
  {
    using std::runtime_error::runtime_error;
  };

  void
  send(Command command)
  {
    if (n_processes() == 1)
      return;
    MPI_Request request;
    MPI_Ibcast(&command, sizeof command, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }

  /// Waits for what process 0 sends, and sleeps meanwhile if that may take
  /// long. A collective call of MPI would use the whole core.
  Command
  receive(const bool asleep)
  {
    Command command;
    MPI_Request request;
    MPI_Ibcast(&command, sizeof command, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    int done = 0;
    while (asleep &&
           MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
           done == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return command;
  }

  /// Calls in process 0 what all processes call now.
  template <class F>
  auto
  collectively(const F &work)
  {
    if (n_processes() == 1)
      return work();
    try
      {
        return work();
      }
    catch (const std::exception &error)
      {
        diverged = true;
        throw ProcessError("Of " + std::to_string(n_processes()) +
                           " processes, process 0 failed: " + error.what());
      }
  }

  /// Does what process 0 says until the end.
  void
  follow()
  {
    std::unique_ptr<benchmarks::Solver<double>> solver;
    bool asleep = true;
    for (;;)
      {
        const Command command  = receive(asleep);
        const HostSolver &peer = benchmarks::host_solvers[command.peer];
        switch (command.what)
          {
            case Command::start:
              benchmarks::start_host_solver(peer);
              asleep = false;
              break;
            case Command::make:
              solver = benchmarks::make_host_solver(peer, {});
              break;
              case Command::solve: {
                CGControl control;
                control.relative_tolerance = command.relative_tolerance;
                control.absolute_tolerance = command.absolute_tolerance;
                control.max_iterations     = command.max_iterations;
                Vector<double> none;
                solver->solve(none, none, control);
                break;
              }
            case Command::free:
              solver.reset();
              asleep = true;
              break;
            case Command::end:
              return;
          }
      }
  }

  /// The main function of processes other than 0.
  int
  serve(const int process)
  {
    Failure failure;
    try
      {
        follow();
        return 0;
      }
    catch (const std::exception &)
      {
        failure = current_failure();
      }
    std::cerr << "error: Process " << process << " of " << n_processes()
              << " failed: " << failure.sentence << std::endl;
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(failure.code));
    return static_cast<int>(failure.code);
  }

  /// A solver that all processes have.
  class SharedSolver : public benchmarks::Solver<double>
  {
  public:
    SharedSolver(const HostSolver &peer, const SparseMatrix &matrix)
    {
      Command command;
      command.what = Command::make;
      command.peer = static_cast<int>(&peer - benchmarks::host_solvers);
      send(command);
      solver = collectively(
        [&]() { return benchmarks::make_host_solver(peer, matrix); });
    }

    ~SharedSolver() override
    {
      if (diverged) // the others would not take part
        {
          solver.release();
          return;
        }
      Command command;
      command.what = Command::free;
      send(command);
    }

    CGResult
    solve(Vector<double> &x, const Vector<double> &b,
          const CGControl &control) override
    {
      Command command;
      command.what               = Command::solve;
      command.max_iterations     = control.max_iterations;
      command.relative_tolerance = control.relative_tolerance;
      command.absolute_tolerance = control.absolute_tolerance;
      send(command);
      return collectively([&]() { return solver->solve(x, b, control); });
    }

    double
    iteration_bytes() const override
    {
      return solver->iteration_bytes();
    }

  private:
    std::unique_ptr<benchmarks::Solver<double>> solver;
  };

  /// `mpirun` confines processes to cores, and then Tessera's threads too.
  void
  note_confinement()
  {
    const int usable = omp_get_num_procs();
    const long all   = sysconf(_SC_NPROCESSORS_ONLN);
    if (usable < all)
      std::cerr << "note: This process may use " << usable << " of " << all
                << " cores. With mpirun --bind-to none Tessera's threads run "
                   "on all of them."
                << std::endl;
  }
} // namespace


int
n_processes()
{
  static const int n = []() {
    int initialized = 0, size = 1;
    MPI_Initialized(&initialized);
    if (initialized != 0)
      MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
  }();
  return n;
}


int
run_with_processes(const std::function<int()> &study)
{
  if (!started_by_mpi())
    return study();
  benchmarks::start_mpi();
  if (n_processes() == 1)
    return study();
  int process = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  if (process > 0)
    return serve(process);
  note_confinement();
  const int code = study();
  if (diverged)
    MPI_Abort(MPI_COMM_WORLD, code);
  send({});
  return code;
}


void
start_peer(const HostSolver &peer, const SparseMatrix &matrix)
{
  const int n = n_processes();
  if (n > 1)
    {
      if (matrix.n_rows() < n || matrix.n_nonzeros() >= (std::int64_t(1) << 31))
        throw ParameterError(
          std::to_string(n) + " processes cannot share a matrix of " +
          counted(matrix.n_rows(), "row") + " and " +
          counted(matrix.n_nonzeros(), "entry") +
          "; each needs a row, and there may be 2147483647 entries.");
      benchmarks::load_host_solver(peer);
      Command command;
      command.what = Command::start;
      command.peer = static_cast<int>(&peer - benchmarks::host_solvers);
      send(command);
    }
  collectively([&]() { benchmarks::start_host_solver(peer); });
}


std::unique_ptr<benchmarks::Solver<double>>
make_peer(const HostSolver &peer, const SparseMatrix &matrix)
{
  if (n_processes() == 1)
    return benchmarks::make_host_solver(peer, matrix);
  return std::make_unique<SharedSolver>(peer, matrix);
}
