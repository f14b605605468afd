#pragma once

#include <tessera/base/array.h>

#include <cstdint>

// The few algorithms over whole arrays that set-up on the device needs, by CUB
// (`cuda_algorithms.cu`) or, for the fiber shim, by loops
// (`shim_algorithms.cc`). Pointers are to device memory. They allocate and
// synchronise.
namespace tessera::algorithms
{
  /// out[i] = factor (in[0] + ... + in[i - 1]) for i = 0 ... n, summed in 64
  /// bits.
  void
  exclusive_scan(const int *in, std::int64_t *out, std::int64_t n,
                 int factor = 1);

  /// The largest value, 0 of none.
  int
  maximum(const int *values, std::int64_t n);

  /// In 64 bits.
  std::int64_t
  sum(const int *values, std::int64_t n);

  /// How many values are not less than `bound`.
  std::int64_t
  count_at_least(const int *values, std::int64_t n, int bound);

  std::int64_t
  count_even(const int *values, std::int64_t n);

  /// Writes keys in ascending order, and values in the order of their keys;
  /// values of equal keys keep theirs. Keys are below 2^n_bits, 1 <= n_bits;
  /// the fewer bits, the fewer passes. All arrays are [n], and none of them is
  /// another one. Key: 32 or 64 bits, unsigned.
  template <class Key>
  void
  sort_pairs(const Key *keys, Key *sorted_keys, const int *values,
             int *sorted_values, int n, int n_bits);
} // namespace tessera::algorithms
