#pragma once

#include <tessera/base/vector.h>
#include <tessera/operators/operator.h>

#include <string>

namespace tessera
{
  /// z = M^-1 r on owned entries. Captured in graphs like an operator, and
  /// repeatable bit by bit. An object serves one stream at a time.
  template <class Number>
  class Preconditioner
  {
  public:
    virtual ~Preconditioner() = default;

    virtual void
    apply(Vector<Number> &z, const Vector<Number> &r, Stream stream) const = 0;

    /// Where M is diagonal: the entries of M^-1, so that a solver can apply it
    /// where it has r at hand; otherwise null.
    virtual const Vector<Number> *
    inverse_diagonal() const
    {
      return nullptr;
    }

    /// Bytes that `apply` must move, r and z among them, and bytes that are
    /// stored.
    virtual Traffic
    traffic() const = 0;

    /// Its name in `preconditioners.def`.
    virtual std::string
    name() const = 0;
  };
} // namespace tessera
