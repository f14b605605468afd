#include <tessera/base/error.h>
#include <tessera/base/target.h>

#include <cstdlib>

namespace tessera
{
  namespace
  {
    InstructionSet
    best()
    {
      if (__builtin_cpu_supports("x86-64-v4"))
        return InstructionSet::x86_64_v4;
      if (__builtin_cpu_supports("x86-64-v3"))
        return InstructionSet::x86_64_v3;
      return InstructionSet::x86_64;
    }

    InstructionSet
    chosen()
    {
      const char *name = std::getenv("TESSERA_SIMD");
      if (name == nullptr)
        return best();
      for (const InstructionSet set :
           {InstructionSet::x86_64, InstructionSet::x86_64_v3,
            InstructionSet::x86_64_v4})
        if (to_string(set) == name && set <= best())
          return set;
      throw ParameterError(
        "The environment variable TESSERA_SIMD is '" + std::string(name) +
        "'; this processor has x86_64 up to " + to_string(best()) + ".");
    }
  } // namespace

  std::string
  to_string(const InstructionSet set)
  {
    switch (set)
      {
        case InstructionSet::x86_64_v4:
          return "x86_64_v4";
        case InstructionSet::x86_64_v3:
          return "x86_64_v3";
        default:
          return "x86_64";
      }
  }

  InstructionSet
  host_instruction_set()
  {
    static const InstructionSet set = chosen();
    return set;
  }
} // namespace tessera
