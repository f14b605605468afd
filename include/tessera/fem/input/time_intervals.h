#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/program/parameters.h>

#include <string>

namespace tessera
{
  /// Throws ParameterError if the interval of time of an entry, divided by
  /// `divisor`, makes more than 100 million steps to `Time/End`. An interval of
  /// 0 makes none.
  void
  check_interval(const Parameters &parameters, const std::string &entry,
                 double divisor = 1);
} // namespace tessera
