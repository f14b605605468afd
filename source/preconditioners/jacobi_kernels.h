#pragma once

#include <tessera/base/target.h>

#include <cstdint>

// The vector kernels of Jacobi, for the device (jacobi.cu) and for the host
// (jacobi_host.cc).
namespace tessera
{
  /// Sets d_i = 1 / d_i for i in [0, n).
  template <class Number>
  void
  invert_entries(Cuda, Number *d, std::int64_t n, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  invert_entries(Target, Number *d, std::int64_t n, Stream stream);

  /// Sets z_i = d_i r_i for i in [0, n).
  template <class Number>
  void
  scale_entries(Cuda, Number *z, const Number *d, const Number *r,
                std::int64_t n, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  scale_entries(Target, Number *z, const Number *d, const Number *r,
                std::int64_t n, Stream stream);
} // namespace tessera
