#include <tessera/base/algorithms.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/base/sorted_positions.h>

#include <algorithm>
#include <utility>

namespace tessera::algorithms
{
  /// Keys with the same leading bits are neighbours in a list, and each such
  /// piece of it is sorted by one thread. Close cells of a mesh most often are
  /// close in memory, too, so that a piece reads few pages.
  std::vector<int>
  sorted_positions(const std::vector<std::uint64_t> &keys)
  {
    constexpr int leading_bits = 14;
    const std::size_t n        = keys.size();
    std::uint64_t bits         = 0;
#pragma omp parallel for schedule(static) reduction(| : bits)
    for (std::size_t i = 0; i < n; ++i)
      bits |= keys[i];
    int shift = 0;
    while (bits >> shift >> leading_bits > 0)
      ++shift;
    Array<int> leading(Backend::host, n);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i)
      leading.data()[i] = static_cast<int>(keys[i] >> shift);
    const int n_groups = static_cast<int>(bits >> shift) + 1;
    const auto groups =
      group(Backend::host, leading.data(), std::int64_t(n), n_groups);
    auto positions = parallel_vector<int>(n);
#pragma omp parallel
    {
      std::vector<std::pair<std::uint64_t, int>> piece;
#pragma omp for schedule(dynamic, 16)
      for (int group = 0; group < n_groups; ++group)
        {
          const std::int64_t first = groups.start.data()[group];
          const std::int64_t last  = groups.start.data()[group + 1];
          piece.clear();
          for (std::int64_t k = first; k < last; ++k)
            piece.emplace_back(keys[groups.items.data()[k]],
                               groups.items.data()[k]);
          if (shift > 0)
            std::sort(piece.begin(), piece.end());
          for (std::int64_t k = first; k < last; ++k)
            positions[k] = piece[k - first].second;
        }
    }
    return positions;
  }
} // namespace tessera::algorithms
