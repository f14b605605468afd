#include <tessera/base/runtime.h>
#include <tessera/matrix/row_matrix.h>

#include "host_rows.h"

namespace tessera
{
  HostAddressing::HostAddressing(const Backend backend, const int n_rows,
                                 const RowAddressing &from,
                                 const bool with_lengths)
    : rows(from)
  {
    if (backend == Backend::host)
      return;
    const std::size_t n = n_rows;
    // Without lengths, a row ends where the next one begins.
    const std::size_t n_bases = n + (with_lengths && rows.lengths == nullptr);
    const auto keep = [](auto &copy, auto *&pointer, const auto size) {
      if (pointer == nullptr || size == 0)
        return;
      copy.resize(size);
      runtime::copy(copy.data(), pointer, sizeof(*pointer) * size,
                    runtime::Copy::device_to_host);
      pointer = copy.data();
    };
    keep(base_64, rows.base_64, n_bases);
    keep(base_32, rows.base_32, n_bases);
    keep(strides, rows.strides, n);
    keep(log2_threads, rows.log2_threads, n);
    keep(lengths, rows.lengths, n);
    keep(rest, rows.rest, n);
  }


  template <class Number>
  SparsityPattern
  RowMatrix<Number>::pattern() const
  {
    const HostRows rows(*this);
    const int n = n_rows();
    SparsityPattern result;
    result.row_start.assign(n + std::size_t(1), 0);
    for (int row = 0; row < n; ++row)
      result.row_start[row + 1] = result.row_start[row] + rows.length(row);
    result.columns.resize(result.n_nonzeros());
#pragma omp parallel for schedule(static)
    for (int row = 0; row < n; ++row)
      for (int k = 0; k < rows.length(row); ++k)
        result.columns[result.row_start[row] + k] = rows.column(row, k);
    return result;
  }


  template SparsityPattern
  RowMatrix<double>::pattern() const;
  template SparsityPattern
  RowMatrix<float>::pattern() const;
} // namespace tessera
