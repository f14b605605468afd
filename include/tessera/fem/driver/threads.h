#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

namespace tessera
{
  /// Sets the number of threads of OpenMP and of deal.II. 0 keeps the setting
  /// of the environment, whose default is all cores.
  void
  set_threads(int n);
} // namespace tessera
