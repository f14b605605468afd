#pragma once

#include <cstdint>

namespace tessera
{
  /// Returns the bytes of all arrays that this process has in device memory.
  /// Other processes do not count, unlike in `DeviceProperties::free_bytes`.
  std::uint64_t
  device_memory_in_use();
} // namespace tessera
