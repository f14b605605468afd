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
    : RowMatrix<Number>(pattern.n_rows, pattern.n_nonzeros,
                        pattern.max_row_length, std::move(pattern.columns)),
      even(pattern.most_rows_even)
  {
    if (force_64 || needs_64_bit_offsets(this->n_nonzeros()))
      start_64 = std::move(pattern.row_start);
    else
      start_32 = narrow(pattern.row_start);
  }


  template class CsrMatrix<double>;
  template class CsrMatrix<float>;
} // namespace tessera
