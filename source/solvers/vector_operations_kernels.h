#pragma once

#include <tessera/base/grid_sum.h>
#include <tessera/base/target.h>

#include <cstdint>

// The kernels of VectorOperations, once for the device (vector_operations.cu)
// and once for the host (vector_operations_host.cc).
namespace tessera
{
  template <class Number>
  struct VectorData
  {
    std::int64_t n; ///< owned entries
    Number a, b;
    const Number *x;
    Number *y;
    const Number *z;
    GridSum<Number> sum;
  };

  /// Blocks that the kernels of a backend use for `n` entries, those of CG
  /// too; at least one.
  int
  vector_blocks(Cuda, std::int64_t n);

  template <class Target, IfHost<Target> = 0>
  int
  vector_blocks(Target, std::int64_t n);

  /// y = a x + b y.
  template <class Number>
  void
  combine_vectors(Cuda, const VectorData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  combine_vectors(Target, const VectorData<Number> &data, Stream stream);

  /// The sum x . z.
  template <class Number>
  void
  dot_vectors(Cuda, const VectorData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  dot_vectors(Target, const VectorData<Number> &data, Stream stream);

  /// y += a x and the sum y . z.
  template <class Number>
  void
  add_and_dot_vectors(Cuda, const VectorData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  add_and_dot_vectors(Target, const VectorData<Number> &data, Stream stream);

  /// The sum of 1 over the entries of x that are not 0; rounded, but 0 only
  /// for none.
  template <class Number>
  void
  count_nonzeros(Cuda, const VectorData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  count_nonzeros(Target, const VectorData<Number> &data, Stream stream);
} // namespace tessera
