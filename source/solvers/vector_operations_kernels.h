#pragma once

#include <tessera/base/grid_sum.h>
#include <tessera/base/target.h>

#include <cstdint>

// The kernels of VectorOperations, for the device (vector_operations.cu) and
// for the host (vector_operations_host.cc).
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

  /// Returns the number of blocks that the kernels of a backend, including
  /// those of CG, use for `n` entries; it is at least one.
  int
  vector_blocks(Cuda, std::int64_t n);

  template <class Target, IfHost<Target> = 0>
  int
  vector_blocks(Target, std::int64_t n);

  /// Computes y = a x + b y.
  template <class Number>
  void
  combine_vectors(Cuda, const VectorData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  combine_vectors(Target, const VectorData<Number> &data, Stream stream);

  /// Computes the sum x . z.
  template <class Number>
  void
  dot_vectors(Cuda, const VectorData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  dot_vectors(Target, const VectorData<Number> &data, Stream stream);

  /// Computes y += a x and the sum y . z.
  template <class Number>
  void
  add_and_dot_vectors(Cuda, const VectorData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  add_and_dot_vectors(Target, const VectorData<Number> &data, Stream stream);

  /// Counts the entries of x that are not 0. The count is a rounded sum of
  /// ones, and is 0 only if there is no such entry.
  template <class Number>
  void
  count_nonzeros(Cuda, const VectorData<Number> &data, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  count_nonzeros(Target, const VectorData<Number> &data, Stream stream);
} // namespace tessera
