#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/parameters.h>
#include <tessera/study/command_line.h>

#include <iosfwd>

namespace tessera
{
  /// Reads the parameter file of the command line and its overrides into what
  /// was declared, or answers --list or --print-parameters. Returns whether
  /// there is anything left to do.
  bool
  read_command_line(Parameters &parameters, const study::CommandLine &line,
                    std::ostream &out);
} // namespace tessera
