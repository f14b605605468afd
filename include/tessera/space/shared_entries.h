#pragma once

#include <tessera/base/array.h>
#include <tessera/base/vector.h>
#include <tessera/space/space.h>

namespace tessera
{
  /// The entries of a vector that more than one cell may add to: all but the
  /// inner nodes of cells, which kernels of the device store instead of adding
  /// to them, so that they need not be zero before. Where inner nodes of many
  /// cells follow one another in the numbering, fewer bytes are written: 7 of
  /// 16 entries on quadrilaterals of degree 4.
  class SharedEntries
  {
  public:
    /// Entries first, ..., first + count - 1.
    struct Piece
    {
      int first, count;
    };

    /// Pieces are of whole lines of memory, since parts of them would be read
    /// too; a warp is quickly done with a piece.
    static constexpr int line = 16, longest_piece = 256;

    /// Beyond this part of the entries it is no faster to write those alone:
    /// then there are no pieces, and all count as shared.
    static constexpr double largest_part = 0.7;

    SharedEntries(const Space &space, Backend backend);

    /// Sets the shared entries of y, owned or in the tail, to zero; the
    /// others may be, or stay what they are.
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
