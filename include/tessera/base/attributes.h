#pragma once

/// Function attributes and loop hints that mean the same to g++ and to nvcc.
#ifdef __CUDACC__
#  define TESSERA_HOST_DEVICE __host__ __device__ __forceinline__
#  define TESSERA_UNROLL _Pragma("unroll")
#  define TESSERA_ROLLED _Pragma("unroll 1")
#  define TESSERA_PRAGMA(text) _Pragma(#  text)
#  define TESSERA_UNROLL_BY(count) TESSERA_PRAGMA(unroll(count))
#else
#  define TESSERA_HOST_DEVICE inline __attribute__((always_inline))
#  define TESSERA_UNROLL _Pragma("GCC unroll 8")
#  define TESSERA_ROLLED _Pragma("GCC unroll 1")
#  define TESSERA_UNROLL_BY(count)
#endif

/// A function of the host alone that must become part of its caller, which
/// may be compiled for a newer instruction set than the rest.
#define TESSERA_HOST inline __attribute__((always_inline))

namespace tessera
{
  /// Makes the compiler forget what it knows of an index, so that on the
  /// device what depends on it is computed where it is used and not kept in
  /// registers across a loop.
  TESSERA_HOST_DEVICE void
  forget(int &index)
  {
#ifdef __CUDA_ARCH__
    asm volatile("" : "+r"(index));
#else
    (void)index;
#endif
  }

  /// A value that no one writes while the kernel runs: may be loaded early and
  /// through the read-only path, whatever is stored in between.
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
