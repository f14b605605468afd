#pragma once

#include <map>
#include <string>
#include <vector>

namespace tessera::program
{
  /// Describes the build: the version of the sources, the flags and the
  /// compilers.
  struct BuildInformation
  {
    std::string version; ///< of the project
    std::string git;     ///< commit; empty if unknown
    bool dirty;          ///< tracked files differed from the commit

    std::string type; ///< Release, Debug, ...
    std::string flags;
    std::vector<std::string> architectures; ///< of CUDA; empty in a host build
    std::map<std::string, std::string> versions; ///< of compilers and libraries
  };

  BuildInformation
  build_information();
} // namespace tessera::program
