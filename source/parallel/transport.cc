#include <tessera/base/load_module.h>

#include <algorithm>
#include <array>

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

    /// Returns true if two processes of this machine have the same device.
    bool
    shares_device(const Processes &processes)
    {
      using Id = std::array<char, internal::bus_id_bytes>;
      Id mine{};
      nccl<internal::FindBusId>("tessera_bus_id")(mine.data());
      int n_here = 1;
      MPI_Comm_size(processes.handle().machine, &n_here);
      std::vector<Id> ids(n_here);
      check_mpi(MPI_Allgather(mine.data(), sizeof(Id), MPI_CHAR, ids.data(),
                              sizeof(Id), MPI_CHAR, processes.handle().machine),
                "MPI_Allgather");
      return std::count(ids.begin(), ids.end(), mine) > 1;
    }
  } // namespace

  std::shared_ptr<const Transport>
  make_transport(const Processes &processes, const Backend backend)
  {
    if (backend == Backend::host || processes.size() == 1)
      return make_mpi_transport(processes, backend);

    // All processes must come to the same conclusion.
    std::string why;
    try
      {
        if (shares_device(processes))
          why = "processes share a device";
      }
    catch (const ParameterError &error)
      {
        why = error.what();
        why.pop_back();
      }
    const std::vector<double> cannot = processes.gather(!why.empty());
    if (std::count(cannot.begin(), cannot.end(), 0.) < processes.size())
      return make_mpi_transport(
        processes, backend, why.empty() ? "other processes have no NCCL" : why);

    char id[internal::nccl_id_bytes] = {};
    if (processes.rank() == 0)
      nccl<internal::MakeNcclId>("tessera_nccl_id")(id);
    check_mpi(MPI_Bcast(id, internal::nccl_id_bytes, MPI_CHAR, 0,
                        processes.handle().communicator),
              "MPI_Bcast");
    return std::shared_ptr<const Transport>(nccl<internal::MakeNccl>(
      "tessera_make_nccl")(id, processes.rank(), processes.size()));
  }
} // namespace tessera
