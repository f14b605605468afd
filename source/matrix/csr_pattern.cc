#include <tessera/base/algorithms.h>
#include <tessera/base/error.h>
#include <tessera/matrix/cells_of_rows.h>
#include <tessera/matrix/csr_pattern.h>

#include "csr_pattern_kernels.h"

namespace tessera
{
  namespace
  {
    std::int64_t
    count_even_rows(const SparsityPattern &pattern)
    {
      std::int64_t n = 0;
#pragma omp parallel for reduction(+ : n)
      for (int row = 0; row < pattern.n_rows(); ++row)
        n += (pattern.row_start[row + 1] - pattern.row_start[row]) % 2 == 0;
      return n;
    }

    /// Returns a copy, which on the host all threads make.
    template <class T>
    Array<T>
    copied(const Backend backend, const std::vector<T> &values)
    {
      if (backend == Backend::cuda)
        return {backend, values};
      Array<T> result(backend, values.size());
      T *const to = result.data();
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < values.size(); ++i)
        to[i] = values[i];
      return result;
    }

    template <class Number>
    CsrPattern
    make_on_device(const CellData<Number> &cells)
    {
      const Space &space = cells.space();
      const CellsOfRows around =
        list_cells_of_rows(cells, space.n_stored(), false);
      const int n             = space.dofs_per_cell();
      const std::int64_t most = std::int64_t(around.most) * n;
      // In the shim, a row takes a thousand times as long as on a device.
      const bool too_long_for_fibers = runtime::is_shim() &&
                                       most * space.n_stored() > 30000 &&
                                       space.n_device_cells == 0;
      if (most > most_candidates_on_device && space.n_device_cells > 0)
        throw MeshError("A node of a coarser level has " +
                        std::to_string(around.most) +
                        " cells, for which a device makes no pattern.");
      if (most > most_candidates_on_device || too_long_for_fibers)
        return {make_sparsity_pattern(space), Backend::cuda};
      const PatternCells in{cells.view(Conflict::atomics).dofs,
                            n,
                            space.n_stored(),
                            around.start.data(),
                            around.entries.data(),
                            static_cast<int>(most)};
      Array<int> count(Backend::cuda, in.n_rows);

      CsrPattern result;
      count_columns(in, count.data());
      result.n_rows         = in.n_rows;
      result.max_row_length = algorithms::maximum(count.data(), in.n_rows);
      result.most_rows_even =
        2 * algorithms::count_even(count.data(), in.n_rows) > in.n_rows;
      result.row_start =
        Array<std::int64_t>(Backend::cuda, std::size_t(in.n_rows) + 1);
      algorithms::exclusive_scan(count.data(), result.row_start.data(),
                                 in.n_rows);
      runtime::copy(&result.n_nonzeros, result.row_start.data() + in.n_rows,
                    sizeof(std::int64_t), runtime::Copy::device_to_host);
      result.columns = Array<int>(Backend::cuda, result.n_nonzeros);
      write_columns(in, result.row_start.data(), result.columns.data());
      runtime::synchronize({});
      return result;
    }
  } // namespace


  CsrPattern::CsrPattern(const SparsityPattern &pattern, const Backend backend)
    : row_start(copied(backend, pattern.row_start)),
      columns(copied(backend, pattern.columns)),
      n_nonzeros(pattern.n_nonzeros()), n_rows(pattern.n_rows()),
      max_row_length(pattern.max_row_length()),
      most_rows_even(2 * count_even_rows(pattern) > pattern.n_rows())
  {}


  template <class Number>
  CsrPattern
  make_csr_pattern(const CellData<Number> &cells)
  {
    if (cells.backend() == Backend::cuda)
      return make_on_device(cells);
    return {make_sparsity_pattern(cells.space()), Backend::host};
  }


  namespace
  {
    Array<std::int64_t>
    write_rows(const CsrPattern &pattern, int *const columns)
    {
      const int b = pattern.block;
      Array<std::int64_t> start(pattern.backend(),
                                std::size_t(pattern.n_rows) * b + 1);
      for_each(pattern.backend(), std::int64_t(pattern.n_rows) * b,
               RowsOfBlocks{b, pattern.row_start.data(), pattern.columns.data(),
                            start.data(), columns});
      if (pattern.backend() == Backend::cuda)
        runtime::synchronize({});
      return start;
    }
  } // namespace


  Array<std::int64_t>
  row_starts(const CsrPattern &pattern)
  {
    return write_rows(pattern, nullptr);
  }


  CsrPattern
  without_blocks(CsrPattern pattern)
  {
    const int b = pattern.block;
    if (b == 1)
      return pattern;
    CsrPattern result;
    result.n_rows         = pattern.n_rows * b;
    result.n_nonzeros     = pattern.n_nonzeros * b * b;
    result.max_row_length = pattern.max_row_length * b;
    result.most_rows_even = b % 2 == 0 || pattern.most_rows_even;
    result.columns        = Array<int>(pattern.backend(), result.n_nonzeros);
    result.row_start      = write_rows(pattern, result.columns.data());
    return result;
  }


  namespace
  {
    Array<std::int32_t>
    lengths_of_rows(const CsrPattern &pattern, const int b)
    {
      const int n_rows = pattern.n_rows * b;
      Array<std::int32_t> lengths(pattern.backend(), n_rows);
      for_each(pattern.backend(), n_rows,
               RowLength{pattern.row_start.data(), lengths.data(), b});
      return lengths;
    }
  } // namespace


  Array<std::int32_t>
  row_lengths(const CsrPattern &pattern)
  {
    return lengths_of_rows(pattern, pattern.block);
  }


  Array<std::int32_t>
  lengths_in_blocks(const CsrPattern &pattern)
  {
    return lengths_of_rows(pattern, 1);
  }


  Array<std::int32_t>
  narrow(const Array<std::int64_t> &values)
  {
    Array<std::int32_t> result(values.backend(), values.size());
    for_each(values.backend(), static_cast<std::int64_t>(values.size()),
             Narrowing{values.data(), result.data()});
    if (values.backend() == Backend::cuda)
      runtime::synchronize({});
    return result;
  }


  template CsrPattern
  make_csr_pattern(const CellData<double> &);
  template CsrPattern
  make_csr_pattern(const CellData<float> &);
} // namespace tessera
