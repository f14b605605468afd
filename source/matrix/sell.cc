#include <tessera/matrix/sell.h>

namespace tessera
{
  template <class Number>
  SellMatrix<Number>::SellMatrix(const CsrPattern &pattern,
                                 const SellShape &shape)
    : SellMatrix(make_sell_layout(pattern, shape),
                 pattern.n_nonzeros * pattern.block * pattern.block,
                 pattern.max_row_length * pattern.block)
  {}


  template <class Number>
  SellMatrix<Number>::SellMatrix(SellLayout &&made,
                                 const std::int64_t n_nonzeros,
                                 const int max_row_length)
    : RowMatrix<Number>(static_cast<int>(made.lengths.size()) * made.block,
                        n_nonzeros, max_row_length, std::move(made.columns),
                        made.columns.size() * made.block * made.block),
      layout(std::move(made))
  {}


  template class SellMatrix<double>;
  template class SellMatrix<float>;
} // namespace tessera
