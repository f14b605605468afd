#pragma once

#include <tessera/base/messages.h>
#include <tessera/space/ghost_tail.h>

#include <memory>
#include <utility>

namespace tessera
{
  /// How one part of a problem reaches the others. By default it is the only
  /// part.
  struct OtherParts
  {
    /// For set-up.
    std::shared_ptr<const Messages> messages =
      std::make_shared<const Messages>();
    /// For solves, in the memory of a backend; only several parts use it.
    std::shared_ptr<const Transport> transport = {};
    SharedNodes shared = {}; ///< how ghosts of the space are exchanged

    bool
    are_several() const
    {
      return messages->n_parts() > 1;
    }
  };

  /// The parts of a problem as one of them sees the others: sums over all parts
  /// and the exchange of ghosts. A problem that is not divided has one part,
  /// whose sums are complete and which has no ghosts. Operators keep the parts
  /// they were made for, so that solvers and preconditioners find them there.
  template <class Number>
  class Parts
  {
  public:
    /// The only part of a problem.
    Parts()
      : reached(std::make_shared<const OtherParts>()),
        sums(std::make_shared<const Communicator>()),
        tail(std::make_shared<const HomogeneousTail<Number>>())
    {}

    /// The part with this space, whose vectors are in the memory of a backend.
    /// All parts construct theirs at the same time.
    Parts(std::shared_ptr<const OtherParts> others, const Space &space,
          const Backend backend)
      : Parts()
    {
      if (others->are_several())
        *this = {others->transport,
                 std::make_shared<const GhostTail<Number>>(
                   space, others->shared, *others->transport, backend)};
      reached = std::move(others);
    }

    /// One part of several, for operators whose preconditioners need no
    /// messages. `communicator` sums over all parts, and `ghosts` moves the
    /// ghosts of this part; it does not treat hanging nodes.
    Parts(std::shared_ptr<const Communicator> communicator,
          std::shared_ptr<const Tail<Number>> ghosts)
      : Parts()
    {
      sums    = std::move(communicator);
      tail    = std::move(ghosts);
      divided = true;
    }

    /// Returns true for one part of several.
    bool
    are_several() const
    {
      return divided;
    }

    /// Returns how this part reaches the others: not at all if it was made from
    /// a communicator.
    const std::shared_ptr<const OtherParts> &
    others() const
    {
      return reached;
    }

    const std::shared_ptr<const Communicator> &
    communicator() const
    {
      return sums;
    }

    const std::shared_ptr<const Tail<Number>> &
    ghosts() const
    {
      return tail;
    }

  private:
    std::shared_ptr<const OtherParts> reached;
    std::shared_ptr<const Communicator> sums;
    std::shared_ptr<const Tail<Number>> tail;
    bool divided = false;
  };
} // namespace tessera
