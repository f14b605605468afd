#pragma once

namespace tessera
{
  /// Bytes of the host's memory that can be taken without swapping, or infinity
  /// where the system does not say.
  double
  free_host_memory();
} // namespace tessera
