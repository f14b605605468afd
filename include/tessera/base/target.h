#pragma once

#include <tessera/base/backend.h>

#include <string>
#include <type_traits>

/// Targets are tag types. A kernel is declared once as a function of a target
/// and defined twice: for `Cuda` in a .cu file, and for all host instruction
/// sets in a *_host.cc file that is compiled once for each of them. The linker
/// brings declarations and definitions together, so nothing here needs a CUDA
/// header.
namespace tessera
{
  struct Cuda
  {
    template <class Number>
    static constexpr int lanes = 32;
  };

  struct X86_64
  {
    template <class Number>
    static constexpr int lanes = 16 / sizeof(Number);
  };

  struct X86_64_v3
  {
    template <class Number>
    static constexpr int lanes = 32 / sizeof(Number);
  };

  struct X86_64_v4
  {
    template <class Number>
    static constexpr int lanes = 64 / sizeof(Number);
  };

  /// Removes the host definition of a kernel from overload resolution for the
  /// device.
  template <class Target>
  using IfHost = std::enable_if_t<!std::is_same<Target, Cuda>::value, int>;

  enum class InstructionSet
  {
    x86_64,    ///< 128-bit vectors
    x86_64_v3, ///< AVX2 and FMA, 256-bit vectors
    x86_64_v4  ///< AVX-512, 512-bit vectors
  };

  std::string
  to_string(InstructionSet set);

  /// Returns the best instruction set of this processor, or the one that the
  /// environment variable TESSERA_SIMD names (x86_64, x86_64_v3 or x86_64_v4).
  /// The choice is made at the first call. Throws ParameterError if the
  /// variable has another value or the processor does not have the instruction
  /// set.
  InstructionSet
  host_instruction_set();

  /// Calls `f` with the tag of the backend: `f(Cuda())` for the device, else
  /// `f` of the tag of the host's instruction set.
  template <class F>
  decltype(auto)
  on_target(const Backend backend, F &&f)
  {
    if (backend == Backend::cuda)
      return f(Cuda());
    switch (host_instruction_set())
      {
        case InstructionSet::x86_64_v4:
          return f(X86_64_v4());
        case InstructionSet::x86_64_v3:
          return f(X86_64_v3());
        default:
          return f(X86_64());
      }
  }

  /// Returns the number of cells in a batch on the backend,
  /// `Target::lanes<Number>`.
  template <class Number>
  int
  lanes(const Backend backend)
  {
    return on_target(backend, [](const auto target) -> int {
      return decltype(target)::template lanes<Number>;
    });
  }
} // namespace tessera
