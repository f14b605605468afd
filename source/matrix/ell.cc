#include <tessera/matrix/ell.h>

#include "csr_pattern_kernels.h"
#include "place_rows_kernels.h"

namespace tessera
{
  namespace
  {
    EllRows
    make_rows(const CsrPattern &pattern)
    {
      const int width = pattern.max_row_length, b = pattern.block;
      EllRows rows{
        pattern.n_rows * b,
        width * b,
        pattern.n_nonzeros * b * b,
        Array<int>(pattern.backend(), ell_padded_rows(pattern.n_rows) * width),
        row_lengths(pattern),
        b};
      place_columns(pattern, ell_addressing(width, nullptr),
                    rows.columns.data(), nullptr, width);
      return rows;
    }
  } // namespace


  template <class Number>
  EllMatrix<Number>::EllMatrix(const CsrPattern &pattern)
    : EllMatrix(make_rows(pattern))
  {}


  template <class Number>
  EllMatrix<Number>::EllMatrix(EllRows &&rows)
    : RowMatrix<Number>(rows.n_rows, rows.n_nonzeros, rows.width,
                        std::move(rows.columns),
                        ell_padded_rows(rows.n_rows) * rows.width),
      block(rows.block), row_lengths(std::move(rows.lengths))
  {}


  template class EllMatrix<double>;
  template class EllMatrix<float>;
} // namespace tessera
