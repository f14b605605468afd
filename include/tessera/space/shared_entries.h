#pragma once

#include <tessera/base/array.h>
#include <tessera/base/vector.h>
#include <tessera/space/space.h>

namespace tessera
{
  /// The entries of a vector that several cells may add to, which are all but
  /// the inner nodes of cells. Device kernels store the values at inner nodes
  /// instead of adding to them, so before a product only the shared entries
  /// must be set to zero. This saves bytes if the numbering places the inner
  /// nodes of many cells next to each other: on quadrilaterals of degree 4 only
  /// 7 of 16 entries are shared.
  class SharedEntries
  {
  public:
    /// The entries first, ..., first + count - 1.
    struct Piece
    {
      int first, count;
    };

    /// A piece consists of whole lines of memory (`line` entries each), because
    /// writing only a part of a line makes the device read it. `longest_piece`
    /// limits the work of the warp that clears a piece.
    static constexpr int line = 16, longest_piece = 256;

    /// If more than this part of all entries is shared, clearing them
    /// separately is no faster than clearing the whole vector. There are then
    /// no pieces, and all entries count as shared.
    static constexpr double largest_part = 0.7;

    SharedEntries(const Space &space, Backend backend);

    /// Sets the shared entries of y, owned or in the tail, to zero. The
    /// remaining entries may be cleared or left unchanged. Without pieces (on
    /// the host, for example), the whole vector is cleared.
    template <class Number>
    void
    zero(Vector<Number> &y, Stream stream) const;

    int
    n_pieces() const
    {
      return static_cast<int>(pieces.size());
    }

    std::size_t
    bytes() const
    {
      return pieces.size() * sizeof(Piece);
    }

  private:
    Array<Piece> pieces;
  };
} // namespace tessera
