#pragma once

/// Function attributes that mean the same to g++ and to nvcc.
#ifdef __CUDACC__
#  define TESSERA_HOST_DEVICE __host__ __device__ __forceinline__
#else
#  define TESSERA_HOST_DEVICE inline __attribute__((always_inline))
#endif
