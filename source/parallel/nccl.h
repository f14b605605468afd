#pragma once

#include <tessera/base/communicator.h>
#include <tessera/parallel/processes.h>

#include <functional>
#include <string>

// The interface of the module tessera_nccl, which is loaded at run time, so
// that programs also run without NCCL.
namespace tessera::internal
{
  constexpr int nccl_id_bytes = 128, bus_id_bytes = 32;

  /// MakeNcclId writes a new number of a group of processes, and FindBusId what
  /// tells the current device from others of this machine.
  using MakeNcclId           = void(char *id);
  using FindBusId            = void(char *bus_id);
  using MakeNccl             = Transport *(const char *id, int rank, int size);
  constexpr auto nccl_module = "libtessera_nccl.so";

  /// Returns why not all processes can use NCCL, in all of them the reason of
  /// the first one that has some; empty if all can. `find` is called in each;
  /// an Error of it is a reason, and so is a device that two processes have.
  std::string
  why_no_nccl(const Processes &processes, const std::function<FindBusId> &find);
} // namespace tessera::internal
