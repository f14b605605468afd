#pragma once

#include <tessera/base/array.h>
#include <tessera/base/communicator.h>
#include <tessera/space/space.h>
#include <tessera/space/tail.h>

namespace tessera
{
  /// The nodes whose values a part exchanges with others, neighbour by
  /// neighbour and in an order on which both agree.
  struct SharedNodes
  {
    Envelopes to;           ///< the parts that have nodes of this one as ghosts
    std::vector<int> owned; ///< these nodes, [to.n_entries()]
    Envelopes from;         ///< the parts that own the ghosts of this one
    std::vector<int> ghost; ///< these ghosts, counted from the first one,
                            ///< [from.n_entries()]
  };

  /// Returns the exchange of entries if each node has n entries.
  SharedNodes
  entries_of_nodes(const SharedNodes &nodes, int n);

  /// The tail of a part of a divided mesh: `import` fetches the ghosts of x
  /// from their owners, and `export_add` adds the contributions of cells to the
  /// ghosts of y, in all parts, to the entries of their owners.
  ///
  /// Values are packed into a buffer, sent and put in their places. Values that
  /// arrive at an owner are added up part by part, so that an exchange repeats
  /// its bits. An exchange moves 2 (s + 4) + s bytes per shared value on either
  /// side, for numbers of s bytes, besides the message.
  template <class Number>
  class GhostTail : public Tail<Number>
  {
  public:
    /// Only the constructor uses `transport`. All parts must construct their
    /// tails at the same time.
    GhostTail(const Space &space, const SharedNodes &shared,
              const Transport &transport, Backend backend);

    void
    import(const Vector<Number> &x, Stream stream) const override;

    bool
    overlaps() const override
    {
      return true;
    }

    void
    begin_import(const Vector<Number> &x, Stream stream) const override;

    void
    finish_import(const Vector<Number> &x, Stream stream) const override;

    void
    export_add(Vector<Number> &y, Stream stream) const override;

    void
    begin_export(Vector<Number> &y, Stream stream) const override;

    void
    finish_export(Vector<Number> &y, Stream stream) const override;

  private:
    /// Entries of vectors, [node][component] written out.
    Array<int> owned, ghost;
    /// The owned entries that have copies in other parts, each once, and the
    /// places in the buffer of `owned` where values of the copies arrive.
    Array<int> receiver, place;
    Array<int> start;                          ///< [receiver.size() + 1]
    mutable Array<Number> of_owned, of_ghosts; ///< buffers
    std::unique_ptr<Channel> to_ghosts, to_owners;
  };
} // namespace tessera
