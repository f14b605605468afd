#pragma once

#include <tessera/base/vector.h>
#include <tessera/operators/operator.h>

#include <string>

namespace tessera
{
  /// When a solver gives up, because the preconditioner does not suit the
  /// matrix.
  struct Patience
  {
    /// The solver gives up if the residual does not halve in this many
    /// iterations; with 0 it never gives up.
    int iterations = 0;
    /// What a user may change in that case, as the subject of "... may help".
    std::string advice = {};
  };

  /// Base class of preconditioners z = M^-1 r on owned entries. The tail of z
  /// must be zero, or as `apply` left it. `apply` may be captured in a graph,
  /// repeats its bits if products with A do, and serves one stream at a time.
  template <class Number>
  class Preconditioner
  {
  public:
    virtual ~Preconditioner() = default;

    virtual void
    apply(Vector<Number> &z, const Vector<Number> &r, Stream stream) const = 0;

    /// Sets x, which is zero, to a better start for A x = b than M^-1 b and
    /// returns true, if the preconditioner can do so; otherwise returns false.
    /// It may allocate memory.
    virtual bool
    set_start(Vector<Number> & /*x*/, const Vector<Number> & /*b*/,
              Stream /*stream*/) const
    {
      return false;
    }

    /// Returns the entries of M^-1 if M is diagonal; otherwise null. A solver
    /// can multiply by them in a kernel that reads r anyway.
    virtual const Vector<Number> *
    inverse_diagonal() const
    {
      return nullptr;
    }

    /// Returns the bytes that `apply` must move, including r and z, and the
    /// bytes that are stored.
    virtual Traffic
    traffic() const = 0;

    /// Returns the name under which the preconditioner is registered.
    virtual std::string
    name() const = 0;

    /// Returns the number of colours of the rows if it works colour by colour;
    /// otherwise 0.
    virtual int
    n_colors() const
    {
      return 0;
    }

    /// Solvers end with SolveEnd::no_progress when they lose their patience.
    virtual Patience
    patience() const
    {
      return {};
    }

    /// Returns what a user is told when the preconditioner has been made, such
    /// as the reason for its levels; empty if there is nothing to tell.
    virtual std::string
    note() const
    {
      return {};
    }

    /// Returns the parameters that a record shows, such as the degree of a
    /// polynomial and the results of its estimates.
    virtual RecordValues
    parameters() const
    {
      return {};
    }
  };
} // namespace tessera
