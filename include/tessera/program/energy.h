#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::program
{
  /// Counts the energy that a machine uses from the construction on, idle power
  /// and other programs included. Counters move some ten to thousand times a
  /// second, so that work should last for seconds.
  class EnergyMeter
  {
  public:
    /// `zones` is the folder in which Linux has the counters of processors and
    /// memories (powercap, also of AMD).
    explicit EnergyMeter(const std::string &zones = "/sys/class/powercap");

    /// Returns the joules of the board of the device of this thread, as the
    /// management library of its driver counts them; nothing if there is no
    /// device, library or counter, now or at the construction.
    std::optional<double>
    board() const;

    /// Returns the joules of all processors and their memories; nothing if the
    /// machine does not count them or does not let this user read the counters.
    /// A counter begins again after some hundred kilojoules: work that uses
    /// more is counted too low.
    std::optional<double>
    host() const;

  private:
    /// A processor or its memory, in microjoules.
    struct Zone
    {
      std::string counter; ///< a file
      std::uint64_t before, range;
    };

    std::optional<double> board_before;
    std::vector<Zone> of_host;
  };
} // namespace tessera::program
