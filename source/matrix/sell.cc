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


  template <class Number>
  SparsityPattern
  SellMatrix<Number>::collect(std::vector<int> columns) const
  {
    const auto base    = layout.base.to_vector();
    const auto log2    = layout.row_log2_threads.to_vector();
    const auto lengths = layout.lengths.to_vector();
    return collect_pattern(this->n_rows(),
                           {base.data(), nullptr, nullptr, log2.data(),
                            layout.shape.lanes, lengths.data()},
                           columns);
  }


  template class SellMatrix<double>;
  template class SellMatrix<float>;
} // namespace tessera
