#include <tessera/base/algorithms.h>
#include <tessera/base/device_memory.h>
#include <tessera/base/ordered_sum.h>

#include <omp.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "algorithms.cuh"

namespace tessera::algorithms
{
  namespace
  {
    /// Calls f(piece, first, last) for pieces of [0, n), one for each thread.
    template <class F>
    void
    for_pieces(const int n_pieces, const std::int64_t n, const F &f)
    {
#pragma omp parallel for schedule(static, 1) num_threads(n_pieces)
      for (int piece = 0; piece < n_pieces; ++piece)
        f(piece, n * piece / n_pieces, n * (piece + 1) / n_pieces);
    }

    /// Small loops have one piece.
    int
    pieces_for(const std::int64_t n)
    {
      return n < 10000 ? 1 : std::min(omp_get_max_threads(), 16);
    }

    /// Sorts items into groups by `group_of`, which returns `n_groups` or more
    /// for an item that belongs to none: counts the items of each group in each
    /// piece, and then writes the items of a piece behind the items of the
    /// pieces before it.
    template <class GroupOf>
    Groups
    group_by_pieces(const std::int64_t n, const int n_groups,
                    const GroupOf &group_of)
    {
      const int n_pieces = pieces_for(n);
      std::vector<std::int64_t> place(std::size_t(n_pieces) * n_groups, 0);
      for_pieces(n_pieces, n,
                 [&](const int piece, const std::int64_t first,
                     const std::int64_t last) {
                   std::int64_t *const count =
                     place.data() + std::size_t(piece) * n_groups;
                   for (std::int64_t i = first; i < last; ++i)
                     if (group_of(i) < n_groups)
                       ++count[group_of(i)];
                 });
      Groups result{Array<std::int64_t>(Backend::host, n_groups + 1), {}};
      std::int64_t *const start = result.start.data();
      std::int64_t total        = 0;
      for (int g = 0; g < n_groups; ++g)
        {
          start[g] = total;
          for (int piece = 0; piece < n_pieces; ++piece)
            {
              std::int64_t &at = place[std::size_t(piece) * n_groups + g];
              const auto count = at;
              at               = total;
              total += count;
            }
        }
      start[n_groups]  = total;
      result.items     = Array<int>(Backend::host, total);
      int *const items = result.items.data();
      for_pieces(n_pieces, n,
                 [&](const int piece, const std::int64_t first,
                     const std::int64_t last) {
                   std::int64_t *const to =
                     place.data() + std::size_t(piece) * n_groups;
                   for (std::int64_t i = first; i < last; ++i)
                     if (group_of(i) < n_groups)
                       items[to[group_of(i)]++] = static_cast<int>(i);
                 });
      return result;
    }

    /// Many groups are sorted in two steps, so that threads share neither a
    /// table of all groups nor a loop over it: items into bundles of
    /// neighbouring groups, and then the items of each bundle by one thread.
    Groups
    group_on_host(const int *const groups, const std::int64_t n,
                  const int n_groups)
    {
      constexpr int group_bits = 12, few_groups = 1 << 16;
      if (n_groups <= few_groups || pieces_for(n) == 1)
        return group_by_pieces(
          n, n_groups, [groups](const std::int64_t i) { return groups[i]; });
      const int n_bundles = ((n_groups - 1) >> group_bits) + 1;
      const auto bundles  = group_by_pieces(
         n, n_bundles, [groups, n_groups, n_bundles](const std::int64_t i) {
          return groups[i] < n_groups ? groups[i] >> group_bits : n_bundles;
        });
      Groups result{Array<std::int64_t>(Backend::host, n_groups + 1),
                    Array<int>(Backend::host, bundles.items.size())};
      std::int64_t *const start = result.start.data();
      start[n_groups] = static_cast<std::int64_t>(bundles.items.size());
#pragma omp parallel for schedule(dynamic)
      for (int bundle = 0; bundle < n_bundles; ++bundle)
        {
          const int first = bundle << group_bits;
          const int last  = std::min(n_groups - first, 1 << group_bits) + first;
          const int *const begin =
            bundles.items.data() + bundles.start.data()[bundle];
          const int *const end =
            bundles.items.data() + bundles.start.data()[bundle + 1];
          std::vector<std::int64_t> next(last - first, 0);
          for (const int *item = begin; item < end; ++item)
            ++next[groups[*item] - first];
          std::int64_t total = bundles.start.data()[bundle];
          for (int g = first; g < last; ++g)
            {
              start[g] = total;
              total += std::exchange(next[g - first], total);
            }
          for (const int *item = begin; item < end; ++item)
            result.items.data()[next[groups[*item] - first]++] = *item;
        }
      return result;
    }
  } // namespace


  void
  exclusive_scan(const Backend backend, const int *const in,
                 std::int64_t *const out, const std::int64_t n)
  {
    if (backend == Backend::cuda)
      return exclusive_scan(in, out, n);
    const int n_pieces = pieces_for(n);
    std::vector<std::int64_t> sums(n_pieces, 0);
    for_pieces(
      n_pieces, n,
      [&](const int piece, const std::int64_t first, const std::int64_t last) {
        std::int64_t sum = 0;
        for (std::int64_t i = first; i < last; ++i)
          sum += in[i];
        sums[piece] = sum;
      });
    out[0] = 0;
    for_pieces(
      n_pieces, n,
      [&](const int piece, const std::int64_t first, const std::int64_t last) {
        std::int64_t sum = 0;
        for (int before = 0; before < piece; ++before)
          sum += sums[before];
        for (std::int64_t i = first; i < last; ++i)
          out[i + 1] = sum += in[i];
      });
  }


  int
  maximum(const Backend backend, const int *const values, const std::int64_t n)
  {
    if (backend == Backend::cuda)
      return maximum(values, n);
    int result = n == 0 ? 0 : values[0];
#pragma omp parallel for schedule(static) reduction(max : result)
    for (std::int64_t i = 0; i < n; ++i)
      result = std::max(result, values[i]);
    return result;
  }


  namespace
  {
    void
    sum_neighbours_on_host(const double *const values, const std::int64_t n,
                           double *const sums)
    {
#pragma omp parallel for schedule(static) if (n > entries_of_one_thread)
      for (std::int64_t i = 0; i <= (n - 1) / neighbours; ++i) // one at least
        {
          double sum = 0;
          for (std::int64_t k = i * neighbours;
               k < std::min(n, (i + 1) * neighbours); ++k)
            sum += values[k];
          sums[i] = sum;
        }
    }
  } // namespace


  OrderedSum::OrderedSum(const Backend backend, const std::int64_t n)
    : sums(backend, n / neighbours + 1),
      sums_of_sums(backend, n / neighbours / neighbours + 1)
  {}


  /// A device takes two steps at a time; a sum of one value is that value.
  void
  OrderedSum::operator()(const double *values, std::int64_t n,
                         double *const result)
  {
    const bool on_host = sums.backend() == Backend::host;
    const int width    = on_host ? neighbours : neighbours * neighbours;
    const auto add     = on_host ? sum_neighbours_on_host : sum_neighbours;
    double *to = sums.data(), *next = sums_of_sums.data();
    for (; n > width; n = (n + width - 1) / width)
      {
        add(values, n, to);
        values = to;
        std::swap(to, next);
      }
    add(values, n, result);
  }


  double
  ordered_sum(const Backend backend, const double *const values,
              const std::int64_t n)
  {
    Array<double> result(backend, 1);
    OrderedSum(backend, n)(values, n, result.data());
    return result.to_vector()[0];
  }


  Groups
  group(const Backend backend, const int *const groups, const std::int64_t n,
        const int n_groups)
  {
    if (n > std::numeric_limits<int>::max())
      throw std::length_error("group: more than 2^31 - 1 items");
    if (backend == Backend::host)
      return group_on_host(groups, n, n_groups);
    int n_bits = 1;
    while (n_bits < 32 && (std::int64_t(n_groups) >> n_bits) > 0)
      ++n_bits;
    const auto *const keys =
      reinterpret_cast<const std::uint32_t *>(groups); // none is negative
    Groups result{Array<std::int64_t>(backend, n_groups + 1),
                  Array<int>(backend, n)};
    Array<int> items(backend, n);
    Array<std::uint32_t> sorted(backend, n);
    for_each(backend, n, Numbering{items.data()});
    sort_pairs(keys, sorted.data(), items.data(), result.items.data(),
               static_cast<int>(n), n_bits);
    for_each(backend, n_groups + 1,
             StartOfGroup{sorted.data(), n, result.start.data()});
    internal::finish_arrays(backend);
    return result;
  }
} // namespace tessera::algorithms
