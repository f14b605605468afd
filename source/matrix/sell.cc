#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/matrix/reordering.h>
#include <tessera/matrix/sell.h>

#include <algorithm>

#include "place_rows_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr bool
    is_power_of_two(const int n)
    {
      return n > 0 && (n & (n - 1)) == 0;
    }


    int
    log2_of(const int power)
    {
      int log2 = 0;
      while (1 << log2 < power)
        ++log2;
      return log2;
    }


    /// Rows in their order of slices; none where each stands at its own place.
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


    /// Slices of rows on the host.
    struct Slices
    {
      std::vector<std::int64_t> start = {0};
      std::vector<int> rows           = {0};
      std::vector<std::uint8_t> log2_threads;

      /// `length(i)` is that of the i-th of the sorted rows.
      template <class Length>
      Slices(const SellShape &shape, const int n_rows, const Length &length)
      {
        const int most       = std::min(shape.lanes, SellShape::most_threads);
        const int first_log2 = log2_of(shape.threads_per_row);
        for (int first = 0; first < n_rows; first = rows.back())
          {
            int log2 = first_log2, last = 0, width = 0;
            for (;; ++log2)
              {
                last = std::min<std::int64_t>(
                  std::int64_t(first) + (shape.lanes >> log2), n_rows);
                int longest = 0;
                for (int i = first; i < last; ++i)
                  longest = std::max<int>(longest, length(i));
                width = (longest + (1 << log2) - 1) >> log2;
                if (shape.threshold == 0 || width <= shape.threshold ||
                    1 << log2 == most)
                  break;
              }
            start.push_back(start.back() + std::int64_t(width) * shape.lanes);
            rows.push_back(last);
            log2_threads.push_back(static_cast<std::uint8_t>(log2));
          }
        if (shape.one_width)
          widen();
      }

    private:
      void
      widen()
      {
        std::int64_t widest = 0;
        for (std::size_t s = 1; s < start.size(); ++s)
          widest = std::max(widest, start[s] - start[s - 1]);
        for (std::size_t s = 1; s < start.size(); ++s)
          start[s] = start[s - 1] + widest;
      }
    };
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


  template <class Number>
  typename SellMatrix<Number>::Layout
  SellMatrix<Number>::make_layout(const CsrPattern &pattern,
                                  const SellShape &shape)
  {
    check_shape(shape);
    const Backend backend = pattern.backend();
    const int n           = pattern.n_rows;
    const auto row_start  = pattern.row_start.to_vector();
    std::vector<std::int32_t> lengths(n);
    for (int row = 0; row < n; ++row)
      lengths[row] =
        static_cast<std::int32_t>(row_start[row + 1] - row_start[row]);

    const std::vector<int> sorted = sort_rows(row_start, shape.window);
    const auto row_at             = [&](const int i) {
      return sorted.empty() ? i : sorted[i];
    };
    const Slices slices(shape, n,
                        [&](const int i) { return lengths[row_at(i)]; });
    const int n_slices = static_cast<int>(slices.log2_threads.size());

    std::vector<std::int64_t> base(n);
    std::vector<std::uint8_t> row_log2_threads(n);
    std::vector<std::int32_t> widths(n);
#pragma omp parallel for schedule(static)
    for (int s = 0; s < n_slices; ++s)
      {
        const int log2 = slices.log2_threads[s];
        const std::int64_t places =
          ((slices.start[s + 1] - slices.start[s]) / shape.lanes) << log2;
        for (int i = slices.rows[s]; i < slices.rows[s + 1]; ++i)
          {
            const int row = row_at(i), lane = (i - slices.rows[s]) << log2;
            base[row]             = slices.start[s] + lane;
            row_log2_threads[row] = static_cast<std::uint8_t>(log2);
            widths[row]           = static_cast<std::int32_t>(places);
          }
      }

    Layout result{shape,
                  log2_of(shape.lanes),
                  0,
                  {backend, slices.start},
                  {backend, slices.rows},
                  {backend, slices.log2_threads},
                  {},
                  {backend, lengths},
                  {backend, base},
                  {backend, row_log2_threads},
                  {backend, static_cast<std::size_t>(slices.start.back())}};
    if (!sorted.empty())
      result.permutation = Array<int>(backend, sorted);
    for (const std::uint8_t log2 : slices.log2_threads)
      result.most_log2_threads = std::max<int>(result.most_log2_threads, log2);
    const RowAddressing rows = {result.base.data(),
                                nullptr,
                                nullptr,
                                result.row_log2_threads.data(),
                                shape.lanes,
                                result.lengths.data()};
    const Array<std::int32_t> all_widths(backend, widths);
    place_all_rows<int>(backend,
                        {n, pattern.row_start.data(), pattern.columns.data(),
                         rows, result.columns.data(), all_widths.data()},
                        {});
    if (backend == Backend::cuda)
      runtime::synchronize({});
    return result;
  }


  template <class Number>
  SellMatrix<Number>::SellMatrix(const CsrPattern &pattern,
                                 const SellShape &shape)
    : SellMatrix(make_layout(pattern, shape), pattern)
  {}


  template <class Number>
  SellMatrix<Number>::SellMatrix(Layout &&made, const CsrPattern &pattern)
    : RowMatrix<Number>(pattern.n_rows, pattern.n_nonzeros,
                        pattern.max_row_length, std::move(made.columns)),
      layout(std::move(made))
  {}


  template <class Number>
  SparsityPattern
  SellMatrix<Number>::collect(std::vector<int> columns) const
  {
    const auto base    = layout.base.to_vector();
    const auto log2    = layout.row_log2_threads.to_vector();
    const auto lengths = layout.lengths.to_vector();
    return collect_pattern(this->n_rows(),
                           {base.data(), nullptr, nullptr, log2.data(),
                            layout.shape.lanes, lengths.data()},
                           columns);
  }


  template class SellMatrix<double>;
  template class SellMatrix<float>;
} // namespace tessera
