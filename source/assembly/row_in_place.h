#pragma once

#include <tessera/assembly/assemble.h>

namespace tessera
{
  /// A row that is summed up where it stands: entries are zero before they are
  /// first met.
  template <class Number>
  struct RowInPlace
  {
    const SlotSink<Number> &sink;
    const int row;
    mutable int length = 0; ///< entries that have been met

    TESSERA_HOST void
    operator()(const int slot, const Number value) const
    {
      for (; length <= slot; ++length)
        at(length) = Number(0);
      at(slot) += value;
    }

  private:
    TESSERA_HOST Number &
    at(const int k) const
    {
      return sink.values[sink.rows.position(row, k)];
    }
  };
} // namespace tessera
