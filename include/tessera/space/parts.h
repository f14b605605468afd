#pragma once

#include <tessera/base/communicator.h>
#include <tessera/space/tail.h>

#include <memory>
#include <utility>

namespace tessera
{
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
      : sums(std::make_shared<const Communicator>()),
        tail(std::make_shared<const HomogeneousTail<Number>>())
    {}

    /// One part of several. `communicator` sums over all parts, and `ghosts`
    /// moves the ghosts of this part; it does not treat hanging nodes.
    Parts(std::shared_ptr<const Communicator> communicator,
          std::shared_ptr<const Tail<Number>> ghosts)
      : sums(std::move(communicator)), tail(std::move(ghosts)), divided(true)
    {}

    /// Returns true for one part of several.
    bool
    are_several() const
    {
      return divided;
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
    std::shared_ptr<const Communicator> sums;
    std::shared_ptr<const Tail<Number>> tail;
    bool divided = false;
  };
} // namespace tessera
