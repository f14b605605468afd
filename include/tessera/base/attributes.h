#pragma once

/// Function attributes and loop hints that mean the same to g++ and to nvcc.
#ifdef __CUDACC__
#  define TESSERA_HOST_DEVICE __host__ __device__ __forceinline__
#  define TESSERA_UNROLL _Pragma("unroll")
#  define TESSERA_ROLLED _Pragma("unroll 1")
#else
#  define TESSERA_HOST_DEVICE inline __attribute__((always_inline))
#  define TESSERA_UNROLL _Pragma("GCC unroll 8")
#  define TESSERA_ROLLED _Pragma("GCC unroll 1")
#endif
