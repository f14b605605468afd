#pragma once

#include <tessera/preconditioners/preconditioner.h>

namespace tessera
{
  /// Base class of preconditioners whose M is diagonal.
  template <class Number>
  class DiagonalPreconditioner : public Preconditioner<Number>
  {
  public:
    void
    apply(Vector<Number> &z, const Vector<Number> &r,
          Stream stream) const override;

    const Vector<Number> *
    inverse_diagonal() const override
    {
      return &inverse;
    }

    /// Counts r, z and M^-1 once each.
    Traffic
    traffic() const override;

  protected:
    explicit DiagonalPreconditioner(Vector<Number> &&vector)
      : inverse(std::move(vector))
    {}

    Vector<Number> inverse; ///< the entries of M^-1
  };

  /// The Jacobi preconditioner M = diag(A) (RegulyGiles2015, section 11). The
  /// diagonal is computed once, by the constructor.
  template <class Number>
  class Jacobi : public DiagonalPreconditioner<Number>
  {
  public:
    explicit Jacobi(const Operator<Number> &A, Stream stream = {});

    std::string
    name() const override
    {
      return "jacobi";
    }
  };
} // namespace tessera
