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
      const int width = pattern.max_row_length;
      EllRows rows{
        pattern.n_rows, width, pattern.n_nonzeros,
        Array<int>(pattern.backend(), ell_padded_rows(pattern.n_rows) * width),
        row_lengths(pattern)};
      place_columns(pattern, ell_addressing(width, rows.lengths.data()),
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
                        std::move(rows.columns)),
      row_lengths(std::move(rows.lengths))
  {}


  template class EllMatrix<double>;
  template class EllMatrix<float>;
} // namespace tessera
