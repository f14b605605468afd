#pragma once

#include <tessera/base/communicator.h>
#include <tessera/base/error.h>
#include <tessera/space/ghost_tail.h>
#include <tessera/space/partition.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// One problem in several processes, which MPI started (`mpirun -n 4 PROGRAM`).
// These headers do not include the headers of MPI.
namespace tessera
{
  /// Returns true if mpirun or a program like it started this process, alone or
  /// with others. Only MPI knows how many there are.
  bool
  started_by_mpi();

  /// The processes of this program; there may be one. A single process may call
  /// `abort` and functions that return numbers of this process or of processes.
  /// All processes call all other functions together, in the same order.
  class Processes
  {
  public:
    /// Returns the processes of this program: the processes that mpirun or a
    /// program like it started, or `alone` if there is one. The first call
    /// starts MPI if such a program started this one.
    static const Processes &
    of_program();

    /// Returns this process as the only one; it never calls MPI.
    static const Processes &
    alone()
    {
      static const Processes one(false);
      return one;
    }

    /// Starts MPI, unless it runs already; MPI then ends with the program. If
    /// MPI cannot be started, it prints a message and ends the program. Throws
    /// Error in a build without MPI.
    Processes() : Processes(true)
    {}

    ~Processes();
    Processes(const Processes &) = delete;
    Processes &
    operator=(const Processes &) = delete;

    /// Returns the number of this process, from 0 on.
    int
    rank() const
    {
      return own_rank;
    }

    /// Returns the number of processes.
    int
    size() const
    {
      return n_processes;
    }

    /// Returns the number of this process among the processes of its machine.
    int
    rank_on_machine() const
    {
      return rank_of_machine;
    }

    /// Returns the number of processes on the same machine.
    int
    size_on_machine() const
    {
      return n_on_machine;
    }

    /// Returns a value of every process, [size()].
    std::vector<double>
    gather(double value) const;

    /// Adds up values of all processes, entry by entry; all have as many.
    void
    sum(std::vector<double> &values) const;

    /// Returns true if it is true in one of the processes.
    bool
    any(bool local) const;

    /// Returns the largest value of all processes, or NaN if one of the values
    /// is NaN.
    double
    largest(double value) const;

    /// Returns the text of the first process whose text is not empty, in all
    /// processes; empty if all texts are empty.
    std::string
    first_text(const std::string &text) const;

    /// Returns in every process the bytes that process 0 makes for it by
    /// make(rank), one process after another and process 0 last. If `make`
    /// throws, all processes throw the same.
    std::vector<char>
    deal_out(const std::function<std::vector<char>(int rank)> &make) const;

    /// Returns true if all processes have the same text.
    bool
    agree_on(const std::string &text) const;

    /// Waits for all processes.
    void
    wait() const;

    /// Waits for all processes, but no longer than this. Returns false if some
    /// have not come.
    bool
    wait(double seconds) const;

    /// Ends all processes at once, the program with this exit code.
    [[noreturn]] void
    abort(ExitCode code) const;

    /// Calls `work`. If it throws in one process, every process throws an Error
    /// with the sentence and the exit code of the first process that failed. So
    /// that no process waits for a failed one, `work` must not call functions
    /// that all processes call together.
    void
    collectively(const std::function<void()> &work) const;

    /// Lets the parts agree on their exchanges. This part has `plans`, one for
    /// each of the parts that own its ghosts, and owns the nodes with the ids
    /// `owned`, which have the indices 0, 1 and so on in the result. Throws
    /// MeshError if another part asks for a node that it does not own.
    SharedNodes
    agree(const std::vector<GhostPlan> &plans,
          const std::vector<std::int64_t> &owned) const;

    struct Handle; ///< of MPI

    const Handle &
    handle() const
    {
      return *mpi;
    }

  private:
    explicit Processes(bool starts_mpi);

    std::unique_ptr<Handle> mpi;
    int own_rank = 0, n_processes = 1, rank_of_machine = 0, n_on_machine = 1;
  };

  /// Chooses the device of this process and makes it the current one: the
  /// device `asked` or, if that is negative, the device with the number of this
  /// process on its machine. Returns its number. Throws DeviceError if there
  /// are fewer devices than processes on this machine and no device was asked
  /// for.
  int
  set_device_of_process(const Processes &processes, int asked = -1);

  /// Returns the transport that carries values between processes. On the host
  /// it is MPI. On a device it is NCCL, if it is found and no two processes
  /// share a device; otherwise values are copied to the host and sent by MPI.
  /// The name of the result names the way and its reason.
  std::shared_ptr<const Transport>
  make_transport(const Processes &processes, Backend backend);

  /// Returns the transport that copies values of the device to the host and
  /// sends them by MPI, or sends values of the host; `why` is part of its name.
  std::shared_ptr<const Transport>
  make_mpi_transport(const Processes &processes, Backend backend,
                     const std::string &why = "");
} // namespace tessera
