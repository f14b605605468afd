#pragma once

#include <tessera/base/backend.h>

#include <string>
#include <type_traits>

/// Targets are tags: a kernel is declared once as a function of a target and
/// defined once for `Cuda` (a .cu file) and once for all host instruction sets
/// (a *_host.cc file, compiled for each of them). The linker brings the two
/// together; nothing here needs a CUDA header.
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

  /// Keeps the host's definition of a kernel from serving the device.
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

  /// The best instruction set of this processor, or the one that the
  /// environment variable TESSERA_SIMD names (x86_64, x86_64_v3, x86_64_v4) if
  /// the processor has it; else throws ParameterError. Asked once.
  InstructionSet
  host_instruction_set();

  /// Calls `f` with the tag of the backend: `f(Cuda())`, or the one of the
  /// host's instruction set.
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

  /// Cells in a batch on that backend: `Target::lanes<Number>`.
  template <class Number>
  int
  lanes(const Backend backend)
  {
    return on_target(backend, [](const auto target) -> int {
      return decltype(target)::template lanes<Number>;
    });
  }
} // namespace tessera
