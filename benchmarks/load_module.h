#pragma once

#include <string>

namespace tessera::benchmarks
{
  /// Loads the module `file`, which stays until the program ends, and returns
  /// the address of `symbol` in it. Throws ParameterError with the loader's
  /// words, in which `library` is the name of what is missing.
  void *
  load_symbol(const std::string &library, const char *file, const char *symbol);
} // namespace tessera::benchmarks
