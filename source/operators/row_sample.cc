#include <tessera/operators/product_work.h>

#include <algorithm>

#include "product_schedules.h"

namespace tessera
{
  namespace
  {
    void
    copy_to_host(int *to, const int *from, const std::size_t n,
                 const Backend backend)
    {
      if (backend == Backend::host)
        std::copy(from, from + n, to);
      else
        runtime::copy(to, from, n * sizeof(int), runtime::Copy::device_to_host);
    }
  } // namespace

  RowSample
  sample_rows(const CsrPattern &pattern, const int most_rows)
  {
    constexpr int n_pieces = 64;
    RowSample sample{{}, pattern.n_rows, pattern.max_row_length};
    const auto row_start = pattern.row_start.to_vector();
    sample.longest_gap   = schedules::longest_gap(row_start);
    if (pattern.n_rows <= most_rows)
      {
        sample.pattern = {row_start, pattern.columns.to_vector()};
        return sample;
      }
    sample.pattern.row_start    = {0};
    const std::int64_t of_piece = std::max(most_rows / n_pieces, 1);
    for (std::int64_t i = 0; i < n_pieces; ++i)
      {
        const std::int64_t first =
          i * (pattern.n_rows - of_piece) / (n_pieces - 1);
        const std::int64_t begin = row_start[first];
        const std::int64_t shift = sample.pattern.n_nonzeros() - begin;
        for (std::int64_t row = first; row < first + of_piece; ++row)
          sample.pattern.row_start.push_back(row_start[row + 1] + shift);
        auto &columns     = sample.pattern.columns;
        const auto before = columns.size();
        columns.resize(sample.pattern.n_nonzeros());
        if (columns.size() > before)
          copy_to_host(columns.data() + before, pattern.columns.data() + begin,
                       columns.size() - before, pattern.backend());
      }
    return sample;
  }
} // namespace tessera
