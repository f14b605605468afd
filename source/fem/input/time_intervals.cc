#include <tessera/base/error.h>
#include <tessera/fem/input/time_intervals.h>

namespace tessera
{
  void
  check_interval(const Parameters &parameters, const std::string &entry,
                 const double divisor)
  {
    const double interval = parameters.get_double(entry);
    if (interval > 0 &&
        parameters.get_double("Time/End") / interval * divisor > 1e8)
      throw ParameterError(
        "'" + entry + "' = " + parameters.get(entry) +
        " makes more than 100 million steps to 'Time/End' = " +
        parameters.get("Time/End") + '.');
  }
} // namespace tessera
