#pragma once

#include <tessera/operators/options.h>
#include <tessera/program/parameters.h>

#include <string>
#include <vector>

namespace tessera
{
  /// Declares an entry of a section for every option of the set, which belongs
  /// to `owners`, such as "csr on the device".
  void
  declare_options(Parameters &parameters, const std::string &section,
                  const OptionSet &set, const std::string &owners);

  /// Returns the options of the sets that differ from their defaults. Throws
  /// ParameterError for a value that is not legal.
  OptionValues
  read_options(const Parameters &parameters, const std::string &section,
               const std::vector<const OptionSet *> &sets);
} // namespace tessera
