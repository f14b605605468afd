#pragma once

#include <optional>

namespace tessera::program
{
  /// Returns the joules that the board of the device that this thread uses has
  /// taken since its driver was loaded, idle times included, as the driver's
  /// management library counts them; nothing if there is no device, library or
  /// counter. The counter moves some ten times a second, so that work should
  /// last for seconds. Call it before and after the work, once that is done.
  std::optional<double>
  board_energy();
} // namespace tessera::program
