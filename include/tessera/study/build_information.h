#pragma once

#include <map>
#include <string>
#include <vector>

namespace tessera::study
{
  /// What was compiled, how and by what.
  struct BuildInformation
  {
    std::string version; ///< of the project
    std::string git;     ///< commit; empty where it is not known
    bool dirty;          ///< tracked files differed from the commit

    std::string type; ///< Release, Debug, ...
    std::string flags;
    std::vector<std::string> architectures; ///< CUDA; empty on a host build
    std::map<std::string, std::string> versions; ///< compilers and libraries
  };

  BuildInformation
  build_information();
} // namespace tessera::study
