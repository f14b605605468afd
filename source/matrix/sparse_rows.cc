#include <tessera/base/algorithms.h>
#include <tessera/base/error.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/csr.h>
#include <tessera/matrix/sparse_rows.h>

#include "sparse_rows.cuh"

namespace tessera
{
  namespace
  {
    void
    wait(const Backend backend)
    {
      if (backend == Backend::cuda)
        runtime::synchronize({});
    }
  } // namespace


  SparseRows::SparseRows(const SparseMatrix &matrix, const Backend backend)
    : n_rows(matrix.n_rows()), n_columns(matrix.n_columns),
      row_start(backend, matrix.pattern.row_start.empty()
                           ? std::vector<std::int64_t>{0}
                           : matrix.pattern.row_start),
      columns(backend, matrix.pattern.columns), values(backend, matrix.values)
  {}


  template <class Number>
  SparseRows
  copy_rows(const RowMatrix<Number> &matrix, const int n_columns)
  {
    const Backend backend = matrix.backend();
    const auto *const csr = dynamic_cast<const CsrMatrix<Number> *>(&matrix);
    if (csr == nullptr || csr->blocks().size > 1)
      return {collect_rows(matrix, n_columns), backend};
    const std::int64_t n = matrix.n_nonzeros();
    SparseRows result;
    result.n_rows    = matrix.n_rows();
    result.n_columns = n_columns;
    result.row_start =
      Array<std::int64_t>(backend, std::size_t(result.n_rows) + 1);
    result.columns         = Array<int>(backend, n);
    result.values          = Array<double>(backend, n);
    const auto copy_starts = [&](const auto *const from) {
      for_each(backend, std::int64_t(result.n_rows) + 1,
               WidenStart<std::decay_t<decltype(*from)>>{
                 from, result.row_start.data()});
    };
    if (csr->row_start_32() != nullptr)
      copy_starts(csr->row_start_32());
    else
      copy_starts(csr->row_start_64());
    for_each(backend, n,
             CopyEntry<Number>{matrix.columns(), matrix.values().data(),
                               result.columns.data(), result.values.data()});
    wait(backend);
    return result;
  }


  Array<char>
  rows_alone(const RowsView &A, const Backend backend)
  {
    Array<char> alone(backend, A.n_rows);
    for_each(backend, A.n_rows, FindAlone{A, alone.data()});
    wait(backend);
    return alone;
  }


  Array<std::int64_t>
  starts_of(const Array<int> &lengths)
  {
    Array<std::int64_t> starts(lengths.backend(), lengths.size() + 1);
    algorithms::exclusive_scan(lengths.backend(), lengths.data(), starts.data(),
                               static_cast<std::int64_t>(lengths.size()));
    return starts;
  }


  std::int64_t
  last_of(const Array<std::int64_t> &starts)
  {
    const std::int64_t *const last = starts.data() + starts.size() - 1;
    if (starts.backend() == Backend::host)
      return *last;
    std::int64_t result = 0;
    runtime::copy(&result, last, sizeof(result), runtime::Copy::device_to_host);
    return result;
  }


  RowsView
  view(const SparseMatrix &matrix)
  {
    return {matrix.n_rows(),
            matrix.n_columns,
            1,
            1,
            matrix.pattern.row_start.data(),
            matrix.pattern.columns.data(),
            matrix.values.data()};
  }


  SparseMatrix
  to_host(const SparseRows &rows)
  {
    const CsrPattern pattern = single_entries(rows);
    SparseMatrix result;
    result.n_columns         = rows.n_columns * rows.column_block;
    result.pattern.row_start = pattern.row_start.to_vector();
    result.pattern.columns   = pattern.columns.to_vector();
    result.values            = rows.values.to_vector();
    return result;
  }


  SparseRows
  transpose(const SparseRows &rows)
  {
    const Backend backend = rows.backend();
    const auto n          = rows.n_entries();
    SparseRows result;
    result.n_rows       = rows.n_columns;
    result.n_columns    = rows.n_rows;
    result.row_block    = rows.column_block;
    result.column_block = rows.row_block;
    if (n > std::int64_t(0x7fffffff))
      throw MatrixError("A matrix of " + std::to_string(n) +
                        " entries cannot be transposed; at most 2^31 - 1 "
                        "entries are legal.");
    Array<int> row_of(backend, n);
    for_each(backend, rows.n_rows,
             RowOfEntries{rows.row_start.data(), row_of.data()});
    auto groups =
      algorithms::group(backend, rows.columns.data(), n, rows.n_columns);
    result.row_start = std::move(groups.start);
    result.columns   = Array<int>(backend, n);
    result.values    = Array<double>(backend, rows.values.size());
    for_each(backend, n,
             TransposeEntry{rows.view(), groups.items.data(), row_of.data(),
                            result.row_start.data(), result.columns.data(),
                            result.values.data()});
    wait(backend);
    return result;
  }


  SparseRows
  make_block_pattern(const RowsView &single, const int b, const Backend backend)
  {
    if (b < 1 || b > max_block || single.n_rows % b != 0 ||
        single.n_columns % b != 0)
      throw ParameterError("A matrix of " + std::to_string(single.n_rows) +
                           " x " + std::to_string(single.n_columns) +
                           " cannot be divided into blocks of " +
                           std::to_string(b) + "; legal are divisors up to " +
                           std::to_string(max_block) + '.');
    SparseRows result;
    result.n_rows    = single.n_rows / b;
    result.n_columns = single.n_columns / b;
    result.row_block = result.column_block = b;
    Array<int> count(backend, result.n_rows);
    for_each(backend, result.n_rows,
             BlockColumnsOfNode{single, b, count.data(), nullptr, nullptr});
    result.row_start     = starts_of(count);
    const std::int64_t n = last_of(result.row_start);
    result.columns       = Array<int>(backend, n);
    result.values        = Array<double>(backend, n * b * b);
    for_each(backend, result.n_rows,
             BlockColumnsOfNode{single, b, nullptr, result.row_start.data(),
                                result.columns.data()});
    wait(backend);
    return result;
  }


  void
  place_in_blocks(const RowsView &single, SparseRows &blocks)
  {
    for_each(blocks.backend(), single.n_rows,
             PlaceRowInBlocks{single, blocks.row_block, blocks.row_start.data(),
                              blocks.columns.data(), blocks.values.data()});
    wait(blocks.backend());
  }


  CsrPattern
  single_entries(const SparseRows &rows)
  {
    const Backend backend = rows.backend();
    const auto n_rows     = std::int64_t(rows.n_rows) * rows.row_block;
    CsrPattern result;
    result.n_rows     = static_cast<int>(n_rows);
    result.n_nonzeros = rows.n_nonzeros();
    result.row_start  = Array<std::int64_t>(backend, n_rows + 1);
    result.columns    = Array<int>(backend, result.n_nonzeros);
    Array<int> lengths(backend, n_rows);
    for_each(backend, n_rows,
             SingleEntriesOfRow{rows.view(), result.row_start.data(),
                                lengths.data(), result.columns.data()});
    result.max_row_length =
      algorithms::maximum(backend, lengths.data(), n_rows);
    wait(backend);
    return result;
  }


  template SparseRows
  copy_rows<double>(const RowMatrix<double> &, int);
  template SparseRows
  copy_rows<float>(const RowMatrix<float> &, int);
} // namespace tessera
