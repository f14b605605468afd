#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/matrix/reordering.h>
#include <tessera/matrix/slices.h>

#include <algorithm>
#include <string>

namespace tessera
{
  namespace
  {
    constexpr bool
    is_power_of_two(const int n)
    {
      return n > 0 && (n & (n - 1)) == 0;
    }

    /// Returns the rows in the order of slices; empty if that changes nothing.
    std::vector<int>
    sort_rows(const std::vector<std::int64_t> &row_start, const int window)
    {
      if (window == 1)
        return {};
      std::vector<int> rows = order_by_row_length(row_start, window);
      if (std::is_sorted(rows.begin(), rows.end()))
        rows.clear();
      return rows;
    }

    /// Makes all slices as wide as the widest one.
    void
    widen(std::vector<std::int64_t> &start)
    {
      std::int64_t widest = 0;
      for (std::size_t s = 1; s < start.size(); ++s)
        widest = std::max(widest, start[s] - start[s - 1]);
      for (std::size_t s = 1; s < start.size(); ++s)
        start[s] = start[s - 1] + widest;
    }
  } // namespace

  void
  check_shape(const SellShape &shape)
  {
    const auto refuse = [](const std::string &what, const int value,
                           const std::string &legal) {
      throw ParameterError(what + " of sliced ELLPACK was given as " +
                           std::to_string(value) + "; legal is " + legal + ".");
    };
    if (!is_power_of_two(shape.lanes) || shape.lanes > SellShape::most_lanes)
      refuse("The number of lanes of a slice", shape.lanes,
             "a power of two from 1 to " +
               std::to_string(SellShape::most_lanes));
    if (shape.window < 0)
      refuse("The number of rows that are sorted", shape.window,
             "1 for none, 0 for all, or any number of rows");
    const int most = std::min(shape.lanes, SellShape::most_threads);
    if (!is_power_of_two(shape.threads_per_row) || shape.threads_per_row > most)
      refuse("The number of threads per row", shape.threads_per_row,
             "a power of two from 1 to " + std::to_string(most) +
               " with slices of " + std::to_string(shape.lanes));
    if (shape.threshold < 0)
      refuse("The threshold", shape.threshold,
             "0 for none, or the entries that a lane has at most");
  }

  namespace
  {
    const std::vector<std::string> slice_values = {"number", "float"};
  }

  std::string
  to_string(const SliceValues values)
  {
    return slice_values[static_cast<int>(values)];
  }

  SliceValues
  slice_values_from_string(const std::string &name)
  {
    return static_cast<SliceValues>(
      index_of_name(name, slice_values, "type of values of slices"));
  }

  int
  log2_of(const std::uint64_t n)
  {
    int log2 = 0;
    while (log2 < 64 && std::uint64_t(1) << log2 < n)
      ++log2;
    return log2;
  }

  Slices
  make_slices(const std::vector<std::int64_t> &row_start,
              const SellShape &shape)
  {
    check_shape(shape);
    Slices slices{sort_rows(row_start, shape.window), {0}, {0}, {}};
    const int n_rows     = static_cast<int>(row_start.size()) - 1;
    const int most       = std::min(shape.lanes, SellShape::most_threads);
    const int first_log2 = log2_of(shape.threads_per_row);
    for (int first = 0; first < n_rows; first = slices.rows.back())
      {
        int log2 = first_log2, last = 0, width = 0;
        for (;; ++log2)
          {
            last                 = static_cast<int>(std::min<std::int64_t>(
              std::int64_t(first) + (shape.lanes >> log2), n_rows));
            std::int64_t longest = 0;
            for (int i = first; i < last; ++i)
              {
                const int row = slices.row_at(i);
                longest =
                  std::max(longest, row_start[row + 1] - row_start[row]);
              }
            width = static_cast<int>(
              (longest + (std::int64_t(1) << log2) - 1) >> log2);
            if (shape.threshold == 0 || width <= shape.threshold ||
                1 << log2 == most)
              break;
          }
        slices.start.push_back(slices.start.back() +
                               std::int64_t(width) * shape.lanes);
        slices.rows.push_back(last);
        slices.log2_threads.push_back(static_cast<std::uint8_t>(log2));
      }
    if (shape.one_width)
      widen(slices.start);
    return slices;
  }
} // namespace tessera
