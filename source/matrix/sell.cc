#include <tessera/matrix/sell.h>
#include <tessera/matrix/slices.h>

#include <algorithm>

#include "place_rows_kernels.h"

namespace tessera
{
  namespace
  {
    int
    log2_of(const int power)
    {
      int log2 = 0;
      while (1 << log2 < power)
        ++log2;
      return log2;
    }
  } // namespace


  template <class Number>
  typename SellMatrix<Number>::Layout
  SellMatrix<Number>::make_layout(const CsrPattern &pattern,
                                  const SellShape &shape)
  {
    const Backend backend = pattern.backend();
    const int n           = pattern.n_rows;
    const auto row_start  = pattern.row_start.to_vector();
    std::vector<std::int32_t> lengths(n);
    for (int row = 0; row < n; ++row)
      lengths[row] =
        static_cast<std::int32_t>(row_start[row + 1] - row_start[row]);

    const Slices slices = make_slices(row_start, shape);
    const int n_slices  = slices.n_slices();

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
            const int row = slices.row_at(i), lane = (i - slices.rows[s])
                                                     << log2;
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
    if (!slices.sorted.empty())
      result.permutation = Array<int>(backend, slices.sorted);
    for (const std::uint8_t log2 : slices.log2_threads)
      result.most_log2_threads = std::max<int>(result.most_log2_threads, log2);
    const RowAddressing rows = {result.base.data(),
                                nullptr,
                                nullptr,
                                result.row_log2_threads.data(),
                                shape.lanes,
                                result.lengths.data()};
    const Array<std::int32_t> all_widths(backend, widths);
    place_columns(pattern, rows, result.columns.data(), all_widths.data());
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
