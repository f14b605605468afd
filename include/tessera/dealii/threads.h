#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

namespace tessera
{
  /// Threads of OpenMP and of deal.II; 0 leaves what the environment says,
  /// which is all cores where it says nothing.
  void
  set_threads(int n);
} // namespace tessera
