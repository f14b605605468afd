#pragma once

#include <optional>

namespace tessera::program
{
  /// Returns the joules that the board of the device of this thread has used
  /// since its driver was loaded, idle times included, as the driver's
  /// management library counts them; nothing if there is no device, library or
  /// counter. The counter is updated about ten times a second, so work should
  /// last for seconds. Call it before the work and after its end.
  std::optional<double>
  board_energy();
} // namespace tessera::program
