#pragma once

#include <tessera/base/communicator.h>

// What the module tessera_nccl has, so that programs also run without NCCL.
namespace tessera::internal
{
  constexpr int nccl_id_bytes = 128, bus_id_bytes = 32;

  /// Writes a new number of a group of processes, and what tells the current
  /// device from others of this machine.
  using MakeNcclId           = void(char *id);
  using FindBusId            = void(char *bus_id);
  using MakeNccl             = Transport *(const char *id, int rank, int size);
  constexpr auto nccl_module = "libtessera_nccl.so";
} // namespace tessera::internal
