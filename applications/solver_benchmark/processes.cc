#include "processes.h"

#include <tessera/base/counted.h>
#include <tessera/base/failure.h>
#include <tessera/parallel/processes.h>

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>

using namespace tessera;
using benchmarks::PeerDescriptor;

namespace
{
  int
  n_processes()
  {
    return Processes::of_program().size();
  }

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

    What what         = end;
    int peer          = 0; ///< its place among all that are registered
    CGControl control = {};
  };

  /// Set if the processes no longer wait for the same.
  bool diverged = false;

  /// Something that all processes would have had to do failed in one. It is no
  /// tessera::Error, which would end one row of the study alone.
  class ProcessError : public std::runtime_error
  {
    using std::runtime_error::runtime_error;
  };

  /// Returns in all processes the command of process 0. The others sleep before
  /// it where that may take long: until a library starts, and from the end of
  /// its solver on. A collective call of MPI would use the whole core.
  Command
  exchange(const Command &given = {})
  {
    const Processes &processes = Processes::of_program();
    if (processes.size() == 1)
      return given;
    static bool asleep = true;
    if (asleep)
      processes.wait(std::numeric_limits<double>::infinity());
    const CGControl &control    = given.control;
    std::vector<double> numbers = {
      double(given.what), double(given.peer), double(control.max_iterations),
      control.relative_tolerance, control.absolute_tolerance};
    if (processes.rank() > 0)
      numbers.assign(numbers.size(), 0.);
    processes.sum(numbers);
    Command command;
    command.what                       = static_cast<Command::What>(numbers[0]);
    command.peer                       = static_cast<int>(numbers[1]);
    command.control.max_iterations     = static_cast<int>(numbers[2]);
    command.control.relative_tolerance = numbers[3];
    command.control.absolute_tolerance = numbers[4];
    if (command.what == Command::start || command.what == Command::free)
      asleep = command.what == Command::free;
    return command;
  }

  benchmarks::Peers
  registered_peers()
  {
    return benchmarks::peers_where([](const PeerDescriptor &) { return true; });
  }

  int
  place_of(const PeerDescriptor &peer)
  {
    const benchmarks::Peers all = registered_peers();
    return static_cast<int>(std::find(all.begin(), all.end(), &peer) -
                            all.begin());
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
    for (;;)
      {
        const Command command      = exchange();
        const PeerDescriptor &peer = *registered_peers()[command.peer];
        switch (command.what)
          {
            case Command::start:
              benchmarks::start_host_solver(peer);
              break;
            case Command::make:
              solver = benchmarks::make_host_solver(peer, {});
              break;
              case Command::solve: {
                Vector<double> none;
                solver->solve(none, none, command.control);
                break;
              }
            case Command::free:
              solver.reset();
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
    Processes::of_program().abort(failure.code);
  }

  /// A solver that all processes have.
  class SharedSolver : public benchmarks::Solver<double>
  {
  public:
    SharedSolver(const PeerDescriptor &peer, const SparseMatrix &matrix)
    {
      exchange({Command::make, place_of(peer)});
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
      exchange({Command::free});
    }

    CGResult
    solve(Vector<double> &x, const Vector<double> &b,
          const CGControl &control) override
    {
      exchange({Command::solve, 0, control});
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
run_with_processes(const std::function<int()> &study)
{
  const Processes &processes = Processes::of_program();
  if (processes.size() == 1)
    return study();
  if (processes.rank() > 0)
    return serve(processes.rank());
  note_confinement();
  const int code = study();
  if (diverged)
    processes.abort(static_cast<ExitCode>(code));
  exchange();
  return code;
}


void
start_peer(const PeerDescriptor &peer, const SparseMatrix &matrix)
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
      exchange({Command::start, place_of(peer)});
    }
  collectively([&]() { benchmarks::start_host_solver(peer); });
}


std::unique_ptr<benchmarks::Solver<double>>
make_peer(const PeerDescriptor &peer, const SparseMatrix &matrix)
{
  if (n_processes() == 1)
    return benchmarks::make_host_solver(peer, matrix);
  return std::make_unique<SharedSolver>(peer, matrix);
}
