#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace tessera::test
{
  inline std::string
  load_bytes(const std::string &path)
  {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  inline void
  store_bytes(const std::string &path, const std::string &bytes)
  {
    std::ofstream(path, std::ios::binary) << bytes;
  }
} // namespace tessera::test
