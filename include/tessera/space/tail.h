#pragma once

#include <tessera/base/backend.h>

namespace tessera
{
  template <class Number>
  class Vector;

  /// Gives the tail of a vector its meaning: boundary values, ghosts of a
  /// partition and hanging nodes differ only in their Tail. `import` fills the
  /// tail before cells read it; `export_add` passes on the contributions of
  /// cells to it. A cell operator calls both in every `vmult`.
  template <class Number>
  class Tail
  {
  public:
    virtual ~Tail() = default;

    /// Fills the tail of x, which caches entries that this part or another part
    /// owns.
    virtual void
    import(const Vector<Number> &x, Stream stream) const = 0;

    /// True if the tail travels between `begin_import` and `finish_import`,
    /// which together are `import`, and between `begin_export` and
    /// `finish_export`. Operators work on interior cells in between.
    virtual bool
    overlaps() const
    {
      return false;
    }

    /// Begins to fill the tail of x. Until `finish_import`, do not change owned
    /// entries of x and do not read its tail.
    virtual void
    begin_import(const Vector<Number> &x, const Stream stream) const
    {
      import(x, stream);
    }

    virtual void
    finish_import(const Vector<Number> &, Stream) const
    {}

    /// Adds the tail of y to the owned entries that it represents, or discards
    /// it.
    virtual void
    export_add(Vector<Number> &y, Stream stream) const = 0;

    /// Begins to export the tail of y, which may not change before
    /// `finish_export`. Owned entries may. Together they do `export_add`.
    virtual void
    begin_export(Vector<Number> &, Stream) const
    {}

    virtual void
    finish_export(Vector<Number> &y, const Stream stream) const
    {
      export_add(y, stream);
    }

    /// Does the same for the diagonal of an operator.
    virtual void
    export_diagonal(Vector<Number> &d, Stream stream) const
    {
      export_add(d, stream);
    }

    /// True if tails are never read or passed on, so that nobody needs to clear
    /// them.
    virtual bool
    ignores_tails() const
    {
      return false;
    }
  };

  /// The tail for eliminated Dirichlet values. The tail of a vector that is
  /// read is already zero (a new vector is zero, and only lifting writes to its
  /// tail), and contributions of cells to a tail are discarded. So neither
  /// function has anything to do.
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

    bool
    ignores_tails() const override
    {
      return true;
    }
  };
} // namespace tessera
