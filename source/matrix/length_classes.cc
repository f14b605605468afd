#include "length_classes.h"

#include <tessera/base/parallel_vector.h>

#include <algorithm>
#include <numeric>

namespace tessera
{
  LengthClasses::LengthClasses(const SparsityPattern &pattern)
    : of_row(parallel_vector<unsigned char>(pattern.n_rows())),
      rows(parallel_vector<int>(pattern.n_rows())),
      row_start(pattern.row_start.data()),
      rank_of(pattern.max_row_length() + 1, -1)
  {
    constexpr int max_lengths = 64;
    const int n_rows          = pattern.n_rows();
    std::vector<unsigned char> class_of(rank_of.size());
#pragma omp parallel for schedule(static)
    for (int row = 0; row < n_rows; ++row)
      {
        int &is_there = rank_of[length(row)];
#pragma omp atomic write
        is_there = 0;
      }

    // Ranks first count from the longest length of a class, then are reversed.
    for (std::int64_t l = rank_of.size() - 1; l >= 0; --l)
      if (rank_of[l] == 0)
        {
          if (n_lengths.empty() || 5 * l <= 3 * std::int64_t(longest.back()))
            {
              n_lengths.push_back(0);
              longest.push_back(static_cast<int>(l));
            }
          class_of[l]      = static_cast<unsigned char>(n_classes() - 1);
          rank_of[l]       = n_lengths.back();
          n_lengths.back() = std::min(n_lengths.back() + 1, max_lengths);
        }
    for (std::size_t l = 0; l < rank_of.size(); ++l)
      if (rank_of[l] >= 0)
        rank_of[l] =
          n_lengths[class_of[l]] - 1 - std::min(rank_of[l], max_lengths - 1);

    start.assign(n_classes() + 1, 0);
    for (int row = 0; row < n_rows; ++row)
      {
        of_row[row] = class_of[length(row)];
        ++start[of_row[row] + 1];
      }
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<int> next = start;
    for (int row = 0; row < n_rows; ++row)
      rows[next[of_row[row]]++] = row;
  }
} // namespace tessera
