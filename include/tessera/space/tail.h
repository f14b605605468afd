#pragma once

#include <tessera/base/backend.h>

namespace tessera
{
  template <class Number>
  class Vector;

  /// What stands behind the tail of a vector. `import` fills the tail before
  /// cells read it, `export_add` sends what cells added there to its owner.
  /// Boundary values, ghosts of a partition and hanging nodes differ only
  /// here. A cell operator calls both in every `vmult`.
  template <class Number>
  class Tail
  {
  public:
    virtual ~Tail() = default;

    /// Fills the tail of x, a cache of entries owned here or elsewhere.
    virtual void
    import(const Vector<Number> &x, Stream stream) const = 0;

    /// Adds the tail of y to the owned entries it stands for, or discards it.
    virtual void
    export_add(Vector<Number> &y, Stream stream) const = 0;
  };

  /// Eliminated Dirichlet values: the tail of a vector that is read is 0 (it
  /// is when a vector is made, and only lifting writes there), and what is
  /// added to a tail is discarded. So both calls have nothing to do.
  template <class Number>
  class HomogeneousTail : public Tail<Number>
  {
  public:
    void
    import(const Vector<Number> &, Stream) const override
    {}

    void
    export_add(Vector<Number> &, Stream) const override
    {}
  };
} // namespace tessera
