#pragma once

#include <tessera/matrix/coo.h>
#include <tessera/operators/tile_operator.h>

namespace tessera
{
  /// y = A x with a row, a column and a value for every entry
  /// (WongKuhlDarve2015, section 4, after Bell and Garland 2009): products are
  /// formed entry by entry and those of a row summed by a segmented reduction.
  template <class Number>
  class Coo : public TileOperator<Number>
  {
  public:
    /// Takes over an assembled matrix; `n_tail` is that of its vectors.
    Coo(CooMatrix<Number> matrix, int n_tail);

    std::string
    name() const override
    {
      return "coo";
    }

    /// Where there are empty rows, y is zeroed before, on the host in a pass of
    /// its own.
    Traffic
    traffic() const override;

    const CooMatrix<Number> &
    matrix() const override
    {
      return coo;
    }

    CooMatrix<Number> &
    matrix() override
    {
      return coo;
    }

  protected:
    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;

  private:
    CooMatrix<Number> coo;
  };
} // namespace tessera
