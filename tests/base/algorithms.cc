#include "test.h"

#include <tessera/base/algorithms.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace tessera::test
{
  // The numbers of entries are: none, one, less and more than a warp, and more
  // than one block sorts.
  const std::vector<int> sizes = {0, 1, 31, 33, 1000, 70000};

  /// Sorts with a stable sort of the host.
  template <class Key>
  void
  check_sort(const int n, const int n_bits)
  {
    std::mt19937_64 generator(n + n_bits);
    std::vector<Key> keys(n);
    for (Key &key : keys)
      key = static_cast<Key>(generator() >> (64 - n_bits));
    std::vector<int> values(n), order(n);
    for (int i = 0; i < n; ++i)
      values[i] = static_cast<int>(generator());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](const int a, const int b) {
      return keys[a] < keys[b];
    });

    const Array<Key> from(Backend::cuda, keys);
    const Array<int> values_from(Backend::cuda, values);
    Array<Key> to(Backend::cuda, n);
    Array<int> values_to(Backend::cuda, n);
    algorithms::sort_pairs(from.data(), to.data(), values_from.data(),
                           values_to.data(), n, n_bits);
    const auto sorted        = to.to_vector();
    const auto sorted_values = values_to.to_vector();
    for (int i = 0; i < n; ++i)
      {
        ASSERT_EQ(sorted[i], keys[order[i]]) << i;
        ASSERT_EQ(sorted_values[i], values[order[i]]) << i;
      }
    // The input of the sort must be unchanged.
    EXPECT_EQ(from.to_vector(), keys);
    EXPECT_EQ(values_from.to_vector(), values);
  }

  TEST(Algorithms, SortPairsKeepsTheOrderOfEqualKeys)
  {
    for (const Backend backend : backends())
      if (backend == Backend::cuda)
        for (const int n : sizes)
          for (const int n_bits : {1, 5, 8, 13, 32, 40, 64})
            {
              SCOPED_TRACE(std::to_string(n) + " keys of " +
                           std::to_string(n_bits) + " bits");
              if (n_bits <= 32)
                check_sort<std::uint32_t>(n, n_bits);
              check_sort<std::uint64_t>(n, n_bits);
            }
  }

  TEST(Algorithms, ScansWithAFactorBeyond32Bits)
  {
    for (const Backend backend : backends())
      if (backend == Backend::cuda)
        for (const int n : sizes)
          {
            std::vector<int> values(n);
            std::vector<std::int64_t> expected(n + 1, 0);
            for (int i = 0; i < n; ++i)
              {
                values[i]       = i * 7919 % 1000003 * 2000;
                expected[i + 1] = expected[i] + 256 * std::int64_t(values[i]);
              }
            const Array<int> in(backend, values);
            Array<std::int64_t> out(backend, n + 1);
            algorithms::exclusive_scan(in.data(), out.data(), n, 256);
            EXPECT_EQ(out.to_vector(), expected);
          }
  }

  TEST(Algorithms, AreTheSameOnBothBackends)
  {
    for (const Backend backend : backends())
      for (const int n : sizes)
        for (const int n_groups : {1, 7, 900, 70001})
          {
            std::vector<int> groups(n);
            std::vector<double> values(n);
            for (int i = 0; i < n; ++i)
              {
                groups[i] = i * 7919 % (n_groups + 1); // n_groups is none
                values[i] = 1. / (i + 1);
              }
            const Array<int> in(backend, groups);
            Array<std::int64_t> out(backend, n + 1);
            algorithms::exclusive_scan(backend, in.data(), out.data(), n);
            const auto starts = out.to_vector();
            for (int i = 0; i < n; ++i)
              ASSERT_EQ(starts[i + 1], starts[i] + groups[i]);
            EXPECT_EQ(algorithms::maximum(backend, in.data(), n),
                      n == 0 ? 0
                             : *std::max_element(groups.begin(), groups.end()));

            const auto found =
              algorithms::group(backend, in.data(), n, n_groups);
            const auto start = found.start.to_vector();
            const auto items = found.items.to_vector();
            std::vector<std::vector<int>> expected(n_groups + 1);
            for (int i = 0; i < n; ++i)
              expected[groups[i]].push_back(i);
            for (int g = 0; g < n_groups; ++g)
              ASSERT_EQ(std::vector<int>(items.begin() + start[g],
                                         items.begin() + start[g + 1]),
                        expected[g]);

            std::vector<double> sums = values;
            while (sums.size() > 1)
              {
                std::vector<double> next((sums.size() + 63) / 64, 0.);
                for (std::size_t i = 0; i < sums.size(); ++i)
                  next[i / 64] += sums[i];
                sums = next;
              }
            const Array<double> terms(backend, values);
            EXPECT_EQ(algorithms::ordered_sum(backend, terms.data(), n),
                      n == 0 ? 0 : sums[0]);
          }
  }
} // namespace tessera::test
