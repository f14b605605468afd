#pragma once

#include <tessera/base/error.h>

#include <dlfcn.h>

#include <string>

namespace tessera
{
  /// Loads the module `file`, which stays until the program ends, and returns
  /// the address of `symbol` in it. The module is searched for where the
  /// program finds its libraries. Throws ParameterError with the loader's
  /// message, in which the missing thing is called `library`.
  inline void *
  load_symbol(const std::string &library, const char *const file,
              const char *const symbol)
  {
    void *const module = dlopen(file, RTLD_NOW);
    void *const found  = module == nullptr ? nullptr : dlsym(module, symbol);
    if (found == nullptr)
      throw ParameterError(library + " cannot be loaded: " + dlerror() + '.');
    return found;
  }
} // namespace tessera
