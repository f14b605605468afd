#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/base/target.h>

#include <cstdlib>

namespace tessera
{
  namespace
  {
    bool
    processor_has(const InstructionSet set)
    {
      switch (set)
        {
          case InstructionSet::x86_64_v4:
            return __builtin_cpu_supports("x86-64-v4");
          case InstructionSet::x86_64_v3:
            return __builtin_cpu_supports("x86-64-v3");
          default:
            return true;
        }
    }

    constexpr InstructionSet compiled[] = {
#ifdef TESSERA_HAS_X86_64
      InstructionSet::x86_64,
#endif
#ifdef TESSERA_HAS_X86_64_v3
      InstructionSet::x86_64_v3,
#endif
#ifdef TESSERA_HAS_X86_64_v4
      InstructionSet::x86_64_v4,
#endif
    };

    template <class Sets>
    std::string
    list_of_sets(const Sets &sets)
    {
      std::vector<std::string> names;
      for (const InstructionSet set : sets)
        names.push_back(to_string(set));
      return list_of(names);
    }

    InstructionSet
    chosen()
    {
      const std::vector<InstructionSet> there = available_instruction_sets();
      if (there.empty())
        throw DeviceError(
          "Tessera's host kernels are compiled for processors "
          "with " +
          list_of_sets(compiled) +
          ", which this one is not; CMake's option "
          "-DTESSERA_INSTRUCTION_SETS=X86_64 compiles them for "
          "any.");
      const char *name = std::getenv("TESSERA_SIMD");
      if (name == nullptr)
        return there.back();
      for (const InstructionSet set : there)
        if (to_string(set) == name)
          return set;
      throw ParameterError("The environment variable TESSERA_SIMD is '" +
                           std::string(name) + "'; legal here is " +
                           list_of_sets(there) + ".");
    }
  } // namespace

  std::vector<InstructionSet>
  available_instruction_sets()
  {
    std::vector<InstructionSet> result;
    for (const InstructionSet set : compiled)
      if (processor_has(set))
        result.push_back(set);
    return result;
  }

  void
  internal::refuse_device()
  {
    throw DeviceError("Tessera was built without CUDA.");
  }

  int
  internal::lanes(const Backend backend, const int number_bytes)
  {
    if (backend == Backend::cuda)
      return Cuda::lanes<double>;
    switch (host_instruction_set())
      {
        case InstructionSet::x86_64_v4:
          return 64 / number_bytes;
        case InstructionSet::x86_64_v3:
          return 32 / number_bytes;
        default:
          return 16 / number_bytes;
      }
  }

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
