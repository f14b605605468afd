#pragma once

#include <tessera/operators/tile_operator.h>

#include <cstdint>

namespace tessera
{
  template <class Number, class Offset>
  struct CsrTilesApply;

  /// Base class of the products y = A x with compressed sparse rows that are
  /// split into tiles of equal work. On the host, one thread loops over a tile.
  template <class Number>
  class CsrTiles : public MatrixOperator<Number, CsrMatrix, TileOperator>
  {
  protected:
    /// Takes ownership of an assembled matrix and cuts it into tiles of `size`
    /// items. `values_per_thread` selects the device kernel; it is 0 if there
    /// is only one.
    CsrTiles(const std::string &name, CsrMatrix<Number> &&matrix, int n_tail,
             int size, TileCut cut, int values_per_thread);

    int
    values() const
    {
      return values_per_thread;
    }

    void
    launch_apply(const RowApply<Number> &apply, Stream stream) const override;

    /// Launches the device's kernel, for row starts of 32 or 64 bits.
    virtual void
    launch_device(const CsrTilesApply<Number, int> &apply,
                  Stream stream) const = 0;
    virtual void
    launch_device(const CsrTilesApply<Number, std::int64_t> &apply,
                  Stream stream) const = 0;

  private:
    int values_per_thread;
  };
} // namespace tessera
