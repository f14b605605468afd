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
  SellMatrix<Number>::SellMatrix(SellLayout &&filled,
                                 const std::int64_t n_nonzeros,
                                 const int max_row_length)
    : RowMatrix<Number>(static_cast<int>(filled.lengths.size()) * filled.block,
                        n_nonzeros, max_row_length, std::move(filled.columns),
                        filled.columns.size() * filled.block * filled.block),
      layout(std::move(filled))
  {}


  template class SellMatrix<double>;
  template class SellMatrix<float>;
} // namespace tessera
