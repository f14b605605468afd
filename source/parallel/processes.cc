#include "handle.h"

#include <tessera/base/failure.h>
#include <tessera/base/runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <thread>

namespace tessera
{
  using internal::check_mpi;

  namespace
  {
    /// Returns what the process `from` has as `text`.
    std::string
    text_of(const int from, std::string text, MPI_Comm communicator)
    {
      int size = static_cast<int>(text.size());
      check_mpi(MPI_Bcast(&size, 1, MPI_INT, from, communicator), "MPI_Bcast");
      text.resize(size);
      check_mpi(MPI_Bcast(text.data(), size, MPI_CHAR, from, communicator),
                "MPI_Bcast");
      return text;
    }
  } // namespace

  bool
  started_by_mpi()
  {
    // What Open MPI, MPICH and its relatives, and Slurm tell what they start.
    return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr ||
           std::getenv("PMI_SIZE") != nullptr ||
           std::getenv("PMIX_RANK") != nullptr;
  }

  const Processes &
  Processes::of_program()
  {
    if (!started_by_mpi())
      return alone();
    static const Processes all;
    return all.size() > 1 ? all : alone();
  }

  Processes::Processes(const bool starts_mpi) : mpi(std::make_unique<Handle>())
  {
    if (!starts_mpi)
      return;
    int started = 0;
    MPI_Initialized(&started);
    if (started == 0)
      {
        int level = 0;
        check_mpi(
          MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level),
          "MPI_Init_thread");
        std::atexit([]() { MPI_Finalize(); });
      }
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &mpi->communicator), "MPI_Comm_dup");
    check_mpi(MPI_Comm_dup(mpi->communicator, &mpi->ends), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(mpi->communicator, MPI_ERRORS_RETURN);
    MPI_Comm_rank(mpi->communicator, &own_rank);
    MPI_Comm_size(mpi->communicator, &n_processes);
    check_mpi(MPI_Comm_split_type(mpi->communicator, MPI_COMM_TYPE_SHARED,
                                  rank(), MPI_INFO_NULL, &mpi->machine),
              "MPI_Comm_split_type");
    MPI_Comm_rank(mpi->machine, &rank_of_machine);
    MPI_Comm_size(mpi->machine, &n_on_machine);
  }

  Processes::~Processes()
  {
    int ended = 1; // or MPI was not started
    if (mpi->is_there())
      MPI_Finalized(&ended);
    if (ended != 0)
      return;
    MPI_Comm_free(&mpi->ends);
    MPI_Comm_free(&mpi->machine);
    MPI_Comm_free(&mpi->communicator);
  }

  std::vector<double>
  Processes::gather(const double value) const
  {
    std::vector<double> values(size(), value);
    if (mpi->is_there())
      check_mpi(MPI_Allgather(&value, 1, MPI_DOUBLE, values.data(), 1,
                              MPI_DOUBLE, mpi->communicator),
                "MPI_Allgather");
    return values;
  }

  void
  Processes::sum(std::vector<double> &values) const
  {
    // MPI counts in 32 bits.
    constexpr std::size_t piece = std::size_t(1) << 24;
    const std::size_t n         = mpi->is_there() ? values.size() : 0;
    for (std::size_t first = 0; first < n; first += piece)
      check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data() + first,
                              static_cast<int>(std::min(piece, n - first)),
                              MPI_DOUBLE, MPI_SUM, mpi->communicator),
                "MPI_Allreduce");
  }

  bool
  Processes::any(const bool local) const
  {
    if (!mpi->is_there())
      return local;
    const int mine = local ? 1 : 0;
    int result     = 0;
    check_mpi(
      MPI_Allreduce(&mine, &result, 1, MPI_INT, MPI_MAX, mpi->communicator),
      "MPI_Allreduce");
    return result != 0;
  }

  double
  Processes::largest(const double value) const
  {
    double result = value;
    for (const double of_one : gather(value))
      if (std::isnan(of_one) || of_one > result)
        result = of_one;
    return result;
  }

  std::string
  Processes::first_text(const std::string &text) const
  {
    if (!mpi->is_there())
      return text;
    const int candidate = text.empty() ? size() : rank();
    int first           = candidate;
    check_mpi(
      MPI_Allreduce(&candidate, &first, 1, MPI_INT, MPI_MIN, mpi->communicator),
      "MPI_Allreduce");
    return first == size() ? "" : text_of(first, text, mpi->communicator);
  }

  std::vector<char>
  Processes::deal_out(const std::function<std::vector<char>(int)> &make) const
  {
    // MPI counts in 32 bits.
    constexpr std::size_t piece = std::size_t(1) << 30;
    std::vector<char> bytes;
    const auto for_pieces = [&](const auto &move) {
      for (std::size_t first = 0; first < bytes.size(); first += piece)
        move(bytes.data() + first,
             static_cast<int>(std::min(piece, bytes.size() - first)));
    };
    std::exception_ptr failure;
    if (rank() > 0)
      {
        std::uint64_t size = 0;
        check_mpi(MPI_Recv(&size, 1, MPI_UINT64_T, 0, 0, mpi->communicator,
                           MPI_STATUS_IGNORE),
                  "MPI_Recv");
        bytes.resize(size);
        for_pieces([this](char *const data, const int n) {
          check_mpi(MPI_Recv(data, n, MPI_CHAR, 0, 0, mpi->communicator,
                             MPI_STATUS_IGNORE),
                    "MPI_Recv");
        });
      }
    else
      for (int to = 1; to <= size(); ++to)
        {
          bytes.clear();
          try
            {
              if (!failure) // the others get nothing, and learn of it below
                bytes = make(to % size());
            }
          catch (...)
            {
              failure = std::current_exception();
            }
          if (to == size())
            break;
          const std::uint64_t size = bytes.size();
          check_mpi(MPI_Send(&size, 1, MPI_UINT64_T, to, 0, mpi->communicator),
                    "MPI_Send");
          for_pieces([&](const char *const data, const int n) {
            check_mpi(MPI_Send(data, n, MPI_CHAR, to, 0, mpi->communicator),
                      "MPI_Send");
          });
        }
    collectively([&]() {
      if (failure)
        std::rethrow_exception(failure);
    });
    return bytes;
  }

  bool
  Processes::agree_on(const std::string &text) const
  {
    return !mpi->is_there() ||
           !any(text_of(0, text, mpi->communicator) != text);
  }

  void
  Processes::wait() const
  {
    if (mpi->is_there())
      check_mpi(MPI_Barrier(mpi->communicator), "MPI_Barrier");
  }

  bool
  Processes::wait(const double seconds) const
  {
    if (!mpi->is_there())
      return true;
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibarrier(mpi->ends, &request), "MPI_Ibarrier");
    const double start = MPI_Wtime();
    int all_came       = 0;
    while (all_came == 0 && MPI_Wtime() - start < seconds)
      {
        check_mpi(MPI_Test(&request, &all_came, MPI_STATUS_IGNORE), "MPI_Test");
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    return all_came != 0;
  }

  void
  Processes::abort(const ExitCode code) const
  {
    if (mpi->is_there())
      MPI_Abort(mpi->communicator, static_cast<int>(code));
    std::_Exit(static_cast<int>(code));
  }

  void
  Processes::collectively(const std::function<void()> &work) const
  {
    if (!mpi->is_there())
      return work();
    // The exit code as a byte, whether it is a MatrixError, and the sentence.
    std::string what;
    try
      {
        work();
      }
    catch (const std::exception &error)
      {
        const Failure failure = current_failure();
        what                  = {static_cast<char>(failure.code),
                dynamic_cast<const MatrixError *>(&error) ? 'm' : ' '};
        what += failure.sentence;
      }
    what = first_text(what);
    if (what.empty())
      return;
    if (what[1] == 'm') // after which one may go on in another way
      throw MatrixError(what.substr(2));
    throw Error(static_cast<ExitCode>(static_cast<unsigned char>(what.front())),
                what.substr(2));
  }

  SharedNodes
  Processes::agree(const std::vector<GhostPlan> &plans,
                   const std::vector<std::int64_t> &owned) const
  {
    SharedNodes result;
    if (!mpi->is_there())
      return result;
    // `wanted` counts the nodes that this process wants of every other one, and
    // `given` the nodes that it gives to it.
    std::vector<int> wanted(size(), 0), given(size(), 0);
    result.from.start = {0};
    std::vector<const GhostPlan *> ordered;
    for (const GhostPlan &plan : plans)
      ordered.push_back(&plan);
    std::sort(ordered.begin(), ordered.end(),
              [](const GhostPlan *const a, const GhostPlan *const b) {
                return a->neighbour < b->neighbour;
              });
    for (const GhostPlan *const plan : ordered)
      {
        wanted[plan->neighbour] = static_cast<int>(plan->tail_index.size());
        result.from.part.push_back(plan->neighbour);
        result.ghost.insert(result.ghost.end(), plan->tail_index.begin(),
                            plan->tail_index.end());
        result.from.start.push_back(static_cast<int>(result.ghost.size()));
      }
    check_mpi(MPI_Alltoall(wanted.data(), 1, MPI_INT, given.data(), 1, MPI_INT,
                           mpi->communicator),
              "MPI_Alltoall");
    result.to.start = {0};
    for (int part = 0; part < size(); ++part)
      if (given[part] > 0)
        {
          result.to.part.push_back(part);
          result.to.start.push_back(result.to.start.back() + given[part]);
        }

    std::vector<std::int64_t> asked(result.to.n_entries());
    std::vector<MPI_Request> requests;
    for (std::size_t k = 0; k < result.to.part.size(); ++k)
      check_mpi(MPI_Irecv(asked.data() + result.to.start[k],
                          given[result.to.part[k]], MPI_INT64_T,
                          result.to.part[k], 0, mpi->communicator,
                          &requests.emplace_back()),
                "MPI_Irecv");
    for (const GhostPlan *const plan : ordered)
      check_mpi(MPI_Isend(plan->id.data(), wanted[plan->neighbour], MPI_INT64_T,
                          plan->neighbour, 0, mpi->communicator,
                          &requests.emplace_back()),
                "MPI_Isend");
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(),
                          MPI_STATUSES_IGNORE),
              "MPI_Waitall");
    const OwnedNodes nodes(owned);
    for (const std::int64_t id : asked)
      result.owned.push_back(nodes.index(id));
    return result;
  }

  int
  set_device_of_process(const Processes &processes, const int asked)
  {
    const int n_devices    = runtime::n_devices();
    const int n_on_machine = processes.size_on_machine();
    if (asked < 0 && n_on_machine > n_devices)
      throw DeviceError(
        std::to_string(n_on_machine) + " processes on this machine have " +
        std::to_string(n_devices) + (n_devices == 1 ? " device" : " devices") +
        "; start as many processes as there are devices, or name the device "
        "that processes shall share.");
    const int device = asked < 0 ? processes.rank_on_machine() : asked;
    runtime::set_device(device);
    return device;
  }
} // namespace tessera
