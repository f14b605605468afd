#include "load_module.h"

#include <tessera/base/error.h>

#include <dlfcn.h>

namespace tessera::benchmarks
{
  void *
  load_symbol(const std::string &library, const char *const file,
              const char *const symbol)
  {
    void *const module = dlopen(file, RTLD_NOW);
    void *const found  = module == nullptr ? nullptr : dlsym(module, symbol);
    if (found == nullptr)
      throw ParameterError(library + " cannot be loaded: " + dlerror() + '.');
    return found;
  }
} // namespace tessera::benchmarks
