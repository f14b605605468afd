#include <tessera/matrix/csr.h>

#include <limits>

#include "csr_pattern_kernels.h"

namespace tessera
{
  bool
  needs_64_bit_offsets(const std::int64_t n_nonzeros)
  {
    // Kernels advance by up to 4096 entries before they test for the end.
    return n_nonzeros > std::numeric_limits<std::int32_t>::max() - 4096;
  }


  template <class Number>
  CsrMatrix<Number>::CsrMatrix(CsrPattern pattern, const bool force_64)
    : RowMatrix<Number>(pattern.n_rows * pattern.block,
                        pattern.n_nonzeros * pattern.block * pattern.block,
                        pattern.max_row_length * pattern.block,
                        std::move(pattern.columns),
                        pattern.n_nonzeros * pattern.block * pattern.block),
      even(pattern.most_rows_even), block(pattern.block)
  {
    Array<std::int64_t> start;
    if (block == 1)
      start = std::move(pattern.row_start);
    else
      {
        start       = row_starts(pattern);
        block_start = std::move(pattern.row_start);
      }
    if (force_64 || needs_64_bit_offsets(this->n_nonzeros()))
      start_64 = std::move(start);
    else
      start_32 = narrow(start);
  }


  template class CsrMatrix<double>;
  template class CsrMatrix<float>;
} // namespace tessera
