#pragma once

#include <tessera/base/array.h>

#include <cstdint>

// This header declares the few algorithms over whole arrays that set-up on the
// device needs. CUB implements them (`cuda_algorithms.cu`); for the fiber shim
// they are serial loops (`shim_algorithms.cc`). All pointers are device
// pointers unless a function takes a backend. Every call allocates scratch
// memory and waits for the device unless `ReusedDeviceMemory` exists, so none
// of them belongs into a solver iteration. A failed call throws DeviceError.
namespace tessera::algorithms
{
  /// Sets out[i] = factor * (in[0] + ... + in[i - 1]) for i = 0, ..., n. `in`
  /// has n entries and `out` has n + 1. The sums are computed in 64 bits.
  void
  exclusive_scan(const int *in, std::int64_t *out, std::int64_t n,
                 int factor = 1);

  /// Returns the largest value, and 0 if n is 0.
  int
  maximum(const int *values, std::int64_t n);

  /// Returns the sum of all values, computed in 64 bits.
  std::int64_t
  sum(const int *values, std::int64_t n);

  /// Returns how many values are greater than or equal to `bound`.
  std::int64_t
  count_at_least(const int *values, std::int64_t n, int bound);

  std::int64_t
  count_even(const int *values, std::int64_t n);

  /// Sorts pairs of a key and a value by ascending key; the sort is stable. The
  /// keys must be below 2^n_bits with n_bits >= 1; fewer bits mean fewer passes
  /// over the data. All four arrays have n entries, and no two of them may
  /// overlap. `Key` is std::uint32_t or std::uint64_t.
  template <class Key>
  void
  sort_pairs(const Key *keys, Key *sorted_keys, const int *values,
             int *sorted_values, int n, int n_bits);

  // The functions below work in the memory of either backend, on the host by
  // all threads. Their results have the same bits on both backends and do not
  // depend on the number of threads.

  void
  exclusive_scan(Backend backend, const int *in, std::int64_t *out,
                 std::int64_t n);

  int
  maximum(Backend backend, const int *values, std::int64_t n);

  /// Returns the sum of all values, which are added in a fixed order: 64
  /// neighbours to one sum, 64 of those sums to the next one, and so on.
  double
  ordered_sum(Backend backend, const double *values, std::int64_t n);

  /// Items sorted by group: items[start[g]], ..., items[start[g + 1] - 1] are
  /// the items of group g, in increasing order.
  struct Groups
  {
    Array<std::int64_t> start; ///< [n_groups + 1]
    Array<int> items;
  };

  /// Sorts the items 0, ..., n - 1 into groups: item i belongs to group
  /// groups[i], or to none if that is `n_groups`. Takes at most 2^31 - 1 items.
  Groups
  group(Backend backend, const int *groups, std::int64_t n, int n_groups);
} // namespace tessera::algorithms
