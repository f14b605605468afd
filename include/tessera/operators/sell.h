#pragma once

#include <tessera/matrix/sell.h>
#include <tessera/operators/row_operator.h>

namespace tessera
{
  /// y = A x with sliced ELLPACK, whatever its slices, sorting windows and
  /// lanes a row are (WongKuhlDarve2015, section 5, listings 2 and 3): on the
  /// device a thread a lane, neighbouring threads reading neighbouring words;
  /// the lanes of a row are summed by shuffles, and sums of sorted rows go to
  /// where their rows are.
  template <class Number>
  class Sell : public RowOperator<Number>
  {
  public:
    /// Takes over an assembled matrix; `n_tail` is that of its vectors.
    Sell(SellMatrix<Number> matrix, int n_tail);

    std::string
    name() const override
    {
      return "sell";
    }

    const SellMatrix<Number> &
    matrix() const override
    {
      return sell;
    }

    SellMatrix<Number> &
    matrix() override
    {
      return sell;
    }

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;

  private:
    SellMatrix<Number> sell;
  };
} // namespace tessera
