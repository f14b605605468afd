#pragma once

#include <string>

namespace tessera::parameter_path
{
  struct Path
  {
    std::string section; ///< "A/B", or empty at the top
    std::string name;
  };

  inline Path
  split(const std::string &path)
  {
    const auto slash = path.rfind('/');
    if (slash == std::string::npos)
      return {"", path};
    return {path.substr(0, slash), path.substr(slash + 1)};
  }

  inline std::string
  join(const std::string &section, const std::string &name)
  {
    return section.empty() ? name : section + '/' + name;
  }
} // namespace tessera::parameter_path
