#pragma once

#include <tessera/base/array.h>
#include <tessera/base/vector.h>
#include <tessera/space/space.h>

namespace tessera
{
  /// The entries of a vector on the device that cell kernels add to: all but
  /// those of nodes inside of a cell, which its scatter stores. For high
  /// degrees these are most, and need not be cleared before.
  class SharedEntries
  {
  public:
    explicit SharedEntries(const Space &space);

    /// y_i = 0 for them, tails included; for all where they are scattered or
    /// nearly all.
    template <class Number>
    void
    clear(Vector<Number> &y, Stream stream) const;

    std::size_t
    bytes() const
    {
      return ranges.bytes();
    }

  private:
    Array<int> ranges; ///< [n][2] first and last + 1; empty: all entries
  };
} // namespace tessera
