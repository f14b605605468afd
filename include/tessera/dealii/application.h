#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/parameters.h>
#include <tessera/study/command_line.h>

#include <iosfwd>

namespace tessera
{
  /// Reads the parameter file of the command line and then its overrides into
  /// the declared `parameters`, or answers --list or --print-parameters on
  /// `out`. Returns false if there is nothing left to do. Throws
  /// ParameterError.
  bool
  read_command_line(Parameters &parameters, const study::CommandLine &line,
                    std::ostream &out);
} // namespace tessera
