#include <tessera/base/algorithms.h>
#include <tessera/base/error.h>
#include <tessera/study/matrix/hybrid.h>

#include "../../matrix/csr_pattern_kernels.h"
#include "../../matrix/place_rows_kernels.h"
#include "hybrid.cuh"

namespace tessera
{
  namespace
  {
    /// The lengths of rows, counted and summed on the backend where they are.
    class Rows
    {
    public:
      explicit Rows(const CsrPattern &pattern)
        : backend(pattern.backend()), n(pattern.n_rows),
          lengths(row_lengths(pattern))
      {}

      std::int64_t
      count_at_least(const int length) const
      {
        if (backend == Backend::cuda)
          return algorithms::count_at_least(lengths.data(), n, length);
        const std::int32_t *const from = lengths.data();
        std::int64_t count             = 0;
#pragma omp parallel for reduction(+ : count)
        for (int row = 0; row < n; ++row)
          count += from[row] >= length;
        return count;
      }

      /// Returns the largest width <= `longest` that a third of the rows fill.
      int
      width_of_a_third(const int longest) const
      {
        int fits = 0, fails = longest + 1;
        while (fails - fits > 1)
          {
            const int middle = fits + (fails - fits) / 2;
            (3 * count_at_least(middle) >= n ? fits : fails) = middle;
          }
        return fits;
      }

      /// For every row, [n + 1], the sums over the rows before it: the entries
      /// beyond the width, and the number of rows that have such entries.
      struct Rest
      {
        Array<std::int64_t> entries, rows;
        std::int64_t n_entries = 0, n_rows = 0;
      };

      Rest
      count_rest(const int width) const
      {
        Rest rest{Array<std::int64_t>(backend, std::size_t(n) + 1),
                  Array<std::int64_t>(backend, std::size_t(n) + 1)};
        std::int64_t *const entries = rest.entries.data();
        std::int64_t *const rows    = rest.rows.data();
        Array<int> entries_of_row(backend, n), has_some(backend, n);
        for_each(backend, n,
                 RestOfRows{lengths.data(), width, entries_of_row.data(),
                            has_some.data()});
        if (backend == Backend::cuda)
          {
            algorithms::exclusive_scan(entries_of_row.data(), entries, n);
            algorithms::exclusive_scan(has_some.data(), rows, n);
            runtime::copy(&rest.n_entries, entries + n, sizeof(std::int64_t),
                          runtime::Copy::device_to_host);
            runtime::copy(&rest.n_rows, rows + n, sizeof(std::int64_t),
                          runtime::Copy::device_to_host);
            return rest;
          }
        for (int row = 0; row < n; ++row)
          {
            entries[row + 1] = entries[row] + entries_of_row.data()[row];
            rows[row + 1]    = rows[row] + has_some.data()[row];
          }
        rest.n_entries = entries[n];
        rest.n_rows    = rows[n];
        return rest;
      }

      const Backend backend;
      const int n;
      Array<std::int32_t> lengths;
    };
  } // namespace


  template <class Number>
  typename HybridMatrix<Number>::Layout
  HybridMatrix<Number>::make_layout(const CsrPattern &pattern,
                                    const std::optional<int> &width)
  {
    require_single_entries(pattern.block);
    if (width && *width < 0)
      throw ParameterError("The width of the hybrid format was given as " +
                           std::to_string(*width) +
                           "; legal are 0 and larger numbers.");
    Rows rows(pattern);
    Layout result;
    result.width =
      std::min(width.value_or(rows.width_of_a_third(pattern.max_row_length)),
               pattern.max_row_length);
    const auto rest    = rows.count_rest(result.width);
    const auto backend = rows.backend;
    result.n_rest      = rest.n_entries;
    result.columns     = Array<int>(
      backend, result.width * ell_padded_rows(rows.n) + rest.n_entries);
    result.lengths    = std::move(rows.lengths);
    result.rest       = Array<std::int64_t>(backend, rows.n);
    result.rest_rows  = Array<int>(backend, rest.n_rows);
    result.rest_start = Array<std::int64_t>(backend, rest.n_rows + 1);
    for_each(backend, rows.n,
             HybridPlaces{rows.n, result.width, rest.entries.data(),
                          rest.rows.data(), result.rest.data(),
                          result.rest_rows.data(), result.rest_start.data()});
    place_columns(
      pattern,
      ell_addressing(result.width, result.lengths.data(), result.rest.data()),
      result.columns.data(), nullptr, result.width);
    return result;
  }


  template <class Number>
  HybridMatrix<Number>::HybridMatrix(const CsrPattern &pattern,
                                     const std::optional<int> &width)
    : HybridMatrix(pattern, make_layout(pattern, width))
  {}


  template <class Number>
  HybridMatrix<Number>::HybridMatrix(const CsrPattern &pattern, Layout &&filled)
    : RowMatrix<Number>(pattern.n_rows, pattern.n_nonzeros,
                        pattern.max_row_length, std::move(filled.columns)),
      layout(std::move(filled))
  {}


  template class HybridMatrix<double>;
  template class HybridMatrix<float>;
} // namespace tessera
