#include <tessera/matrix/csr.h>

#include <limits>

#include "csr_pattern_kernels.h"

namespace tessera
{
  bool
  needs_64_bit_offsets(const std::int64_t n_nonzeros)
  {
    // Kernels go on by up to 4096 entries before they look whether they ended.
    return n_nonzeros > std::numeric_limits<std::int32_t>::max() - 4096;
  }


  template <class Number>
  CsrMatrix<Number>::CsrMatrix(CsrPattern pattern, const bool force_64)
    : RowMatrix<Number>(pattern.n_rows, pattern.n_nonzeros,
                        pattern.max_row_length, std::move(pattern.columns)),
      even(pattern.most_rows_even)
  {
    if (force_64 || needs_64_bit_offsets(this->n_nonzeros()))
      start_64 = std::move(pattern.row_start);
    else
      start_32 = narrow(pattern.row_start);
  }


  template <class Number>
  SparsityPattern
  CsrMatrix<Number>::collect(std::vector<int> columns) const
  {
    SparsityPattern result;
    if (row_start_64() != nullptr)
      result.row_start = start_64.to_vector();
    else
      {
        const std::vector<std::int32_t> start = start_32.to_vector();
        result.row_start.assign(start.begin(), start.end());
      }
    result.columns = std::move(columns);
    return result;
  }


  template class CsrMatrix<double>;
  template class CsrMatrix<float>;
} // namespace tessera
