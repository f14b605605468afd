#include <tessera/base/load_module.h>

#include <algorithm>
#include <array>
#include <functional>

#include "handle.h"
#include "nccl.h"

namespace tessera
{
  using internal::check_mpi;

  namespace
  {
    template <class Function>
    Function *
    nccl(const char *const symbol)
    {
      return reinterpret_cast<Function *>(
        load_symbol("NCCL", internal::nccl_module, symbol));
    }

    /// Calls `work` and returns what it failed for, without the full stop.
    std::string
    reason(const std::function<void()> &work)
    {
      try
        {
          work();
        }
      catch (const Error &error)
        {
          std::string why = error.what();
          if (!why.empty() && why.back() == '.')
            why.pop_back();
          return why;
        }
      return "";
    }
  } // namespace

  std::string
  internal::why_no_nccl(const Processes &processes,
                        const std::function<FindBusId> &find)
  {
    using Id = std::array<char, bus_id_bytes>;
    Id mine{};
    std::string why = reason([&]() { find(mine.data()); });
    std::vector<Id> ids(processes.size_on_machine());
    check_mpi(MPI_Allgather(mine.data(), sizeof(Id), MPI_CHAR, ids.data(),
                            sizeof(Id), MPI_CHAR, processes.handle().machine),
              "MPI_Allgather");
    if (why.empty() && std::count(ids.begin(), ids.end(), mine) > 1)
      why = "processes share a device";
    return processes.first_text(why);
  }

  std::shared_ptr<const Transport>
  make_transport(const Processes &processes, const Backend backend)
  {
    if (backend == Backend::host || processes.size() == 1)
      return make_mpi_transport(processes, backend);

    // What one process alone can fail in is between the collective calls, which
    // all of them reach.
    internal::MakeNcclId *make_id = nullptr;
    internal::MakeNccl *make      = nullptr;
    std::string why = internal::why_no_nccl(processes, [&](char *const bus_id) {
      make_id = nccl<internal::MakeNcclId>("tessera_nccl_id");
      make    = nccl<internal::MakeNccl>("tessera_make_nccl");
      nccl<internal::FindBusId>("tessera_bus_id")(bus_id);
    });
    char id[internal::nccl_id_bytes] = {};
    if (why.empty())
      why = processes.first_text(reason([&]() {
        if (processes.rank() == 0)
          make_id(id);
      }));
    if (!why.empty())
      return make_mpi_transport(processes, backend, why);
    check_mpi(MPI_Bcast(id, internal::nccl_id_bytes, MPI_CHAR, 0,
                        processes.handle().communicator),
              "MPI_Bcast");
    return std::shared_ptr<const Transport>(
      make(id, processes.rank(), processes.size()));
  }
} // namespace tessera
