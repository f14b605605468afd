#pragma once

#include <tessera/base/backend.h>

#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

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

  /// Returns the instruction sets that this library has host kernels for and
  /// this processor has, the oldest one first.
  std::vector<InstructionSet>
  available_instruction_sets();

  /// Returns the best compiled instruction set that this processor has, or the
  /// one that the environment variable TESSERA_SIMD names (x86_64, x86_64_v3 or
  /// x86_64_v4). The choice is made at the first call. Throws ParameterError if
  /// that one is not compiled or the processor lacks it, and DeviceError if the
  /// processor has none of the compiled ones.
  InstructionSet
  host_instruction_set();

  namespace internal
  {
    /// Throws DeviceError: this library has no kernels for the device.
    [[noreturn]] void
    refuse_device();

    int
    lanes(Backend backend, int number_bytes);
  } // namespace internal

  /// Calls `f` with the tag of the backend: `Cuda()` for the device, otherwise
  /// the tag of the host's instruction set. Only tags for which this library
  /// has kernels are instantiated: TESSERA_HAS_DEVICE, TESSERA_HAS_X86_64_v3
  /// and so on are definitions of the target `tessera`.
  template <class F>
  decltype(auto)
  on_target(const Backend backend, F &&f)
  {
    if (backend == Backend::cuda)
#ifdef TESSERA_HAS_DEVICE
      return f(Cuda());
#else
      internal::refuse_device();
#endif
    switch (host_instruction_set())
      {
#ifdef TESSERA_HAS_X86_64
        case InstructionSet::x86_64:
          return f(X86_64());
#endif
#ifdef TESSERA_HAS_X86_64_v3
        case InstructionSet::x86_64_v3:
          return f(X86_64_v3());
#endif
#ifdef TESSERA_HAS_X86_64_v4
        case InstructionSet::x86_64_v4:
          return f(X86_64_v4());
#endif
        default:
          throw std::logic_error("an instruction set without kernels");
      }
  }

  /// Returns the number of cells in a batch on the backend,
  /// `Target::lanes<Number>`.
  template <class Number>
  int
  lanes(const Backend backend)
  {
    return internal::lanes(backend, sizeof(Number));
  }
} // namespace tessera
