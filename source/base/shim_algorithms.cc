#include <tessera/base/algorithms.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace tessera::algorithms
{
  void
  exclusive_scan(const int *in, std::int64_t *out, const std::int64_t n,
                 const int factor)
  {
    out[0] = 0;
    for (std::int64_t i = 0; i < n; ++i)
      out[i + 1] = out[i] + std::int64_t(factor) * in[i];
  }


  int
  maximum(const int *values, const std::int64_t n)
  {
    return n == 0 ? 0 : *std::max_element(values, values + n);
  }


  std::int64_t
  sum(const int *values, const std::int64_t n)
  {
    return std::accumulate(values, values + n, std::int64_t(0));
  }


  std::int64_t
  count_at_least(const int *values, const std::int64_t n, const int bound)
  {
    return std::count_if(values, values + n,
                         [bound](const int value) { return value >= bound; });
  }


  std::int64_t
  count_even(const int *values, const std::int64_t n)
  {
    return std::count_if(values, values + n,
                         [](const int value) { return value % 2 == 0; });
  }


  template <class Key>
  void
  sort_pairs(const Key *keys, Key *sorted_keys, const int *values,
             int *sorted_values, const int n, const int n_bits)
  {
    // Like CUB, compare only the lowest `n_bits` bits.
    const Key mask = std::numeric_limits<Key>::max() >>
                     (std::numeric_limits<Key>::digits - n_bits);
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](const int a, const int b) {
      return (keys[a] & mask) < (keys[b] & mask);
    });
    for (int i = 0; i < n; ++i)
      {
        sorted_keys[i]   = keys[order[i]];
        sorted_values[i] = values[order[i]];
      }
  }


  template void
  sort_pairs<std::uint32_t>(const std::uint32_t *, std::uint32_t *, const int *,
                            int *, int, int);
  template void
  sort_pairs<std::uint64_t>(const std::uint64_t *, std::uint64_t *, const int *,
                            int *, int, int);
} // namespace tessera::algorithms
