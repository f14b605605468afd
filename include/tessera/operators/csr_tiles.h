#pragma once

#include <tessera/operators/tile_operator.h>

namespace tessera
{
  /// y = A x with compressed sparse rows that are split into tiles. On the host
  /// a tile is a loop of one thread.
  template <class Number>
  class CsrTiles : public TileOperator<Number>
  {
  public:
    const CsrMatrix<Number> &
    matrix() const override
    {
      return csr;
    }

    CsrMatrix<Number> &
    matrix() override
    {
      return csr;
    }

  protected:
    /// Takes over an assembled matrix. `values_per_thread` is of the device's
    /// kernel, 0 where that has but one.
    CsrTiles(CsrMatrix<Number> &&matrix, int n_tail, int size, TileCut cut,
             int values_per_thread);

    int
    values() const
    {
      return values_per_thread;
    }

    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;

  private:
    CsrMatrix<Number> csr;
    int values_per_thread;
  };
} // namespace tessera
