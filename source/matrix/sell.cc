#include <tessera/matrix/sell.h>

namespace tessera
{
  template <class Number>
  SellMatrix<Number>::SellMatrix(const CsrPattern &pattern,
                                 const SellShape &shape)
    : SellMatrix(make_sell_layout(pattern, shape), pattern)
  {}


  template <class Number>
  SellMatrix<Number>::SellMatrix(SellLayout &&made, const CsrPattern &pattern)
    : RowMatrix<Number>(pattern.n_rows, pattern.n_nonzeros,
                        pattern.max_row_length, std::move(made.columns)),
      layout(std::move(made))
  {}


  template class SellMatrix<double>;
  template class SellMatrix<float>;
} // namespace tessera
