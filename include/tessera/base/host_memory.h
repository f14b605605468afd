#pragma once

namespace tessera
{
  /// Returns the number of bytes of host memory that can be allocated without
  /// swapping, or infinity if the system does not say.
  double
  free_host_memory();
} // namespace tessera
