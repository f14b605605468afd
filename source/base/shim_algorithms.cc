#include <tessera/base/algorithms.h>

#include <algorithm>
#include <numeric>

namespace tessera::algorithms
{
  void
  exclusive_scan(const int *in, std::int64_t *out, const std::int64_t n)
  {
    out[0] = 0;
    for (std::int64_t i = 0; i < n; ++i)
      out[i + 1] = out[i] + in[i];
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
} // namespace tessera::algorithms
