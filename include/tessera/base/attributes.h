#pragma once

/// These macros are function attributes and loop hints that have the same
/// meaning for g++ and for nvcc.
#ifdef __CUDACC__
#  define TESSERA_HOST_DEVICE __host__ __device__ __forceinline__
#  define TESSERA_UNROLL _Pragma("unroll")
#  define TESSERA_ROLLED _Pragma("unroll 1")
#  define TESSERA_PRAGMA(text) _Pragma(#  text)
#  define TESSERA_UNROLL_BY(count) TESSERA_PRAGMA(unroll(count))
#elif defined(TESSERA_SANITIZED)
// The library for sanitizers is compiled for one instruction set. Calls are
// safe there, and compile in a third of the time.
#  define TESSERA_HOST_DEVICE inline
#  define TESSERA_UNROLL
#  define TESSERA_ROLLED
#  define TESSERA_UNROLL_BY(count)
#else
#  define TESSERA_HOST_DEVICE inline __attribute__((always_inline))
#  define TESSERA_UNROLL _Pragma("GCC unroll 8")
#  ifdef __OPTIMIZE__
#    define TESSERA_ROLLED _Pragma("GCC unroll 1")
#  else // g++ would warn that it is ignored
#    define TESSERA_ROLLED
#  endif
#  define TESSERA_UNROLL_BY(count)
#endif

/// TESSERA_HOST marks a host function that must be inlined into its caller,
/// because the caller may be compiled for a newer instruction set than the rest
/// of the library.
#ifdef TESSERA_SANITIZED
#  define TESSERA_HOST inline
#else
#  define TESSERA_HOST inline __attribute__((always_inline))
#endif

namespace tessera
{
  /// Hides the value of an index from the optimiser. On the device, expressions
  /// that depend on the index are then computed where they are used instead of
  /// being kept in registers across a loop. On the host the function does
  /// nothing.
  TESSERA_HOST_DEVICE void
  forget(int &index)
  {
#ifdef __CUDA_ARCH__
    asm volatile("" : "+r"(index));
#else
    (void)index;
#endif
  }

  /// Loads a value that no thread writes while the kernel runs. The compiler
  /// may move the load ahead of stores and use the read-only data path.
  template <class Number>
  TESSERA_HOST_DEVICE Number
  read_only(const Number *from)
  {
#ifdef __CUDA_ARCH__
    return __ldg(from);
#else
    return *from;
#endif
  }
} // namespace tessera
