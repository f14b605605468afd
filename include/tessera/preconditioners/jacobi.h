#pragma once

#include <tessera/preconditioners/preconditioner.h>

namespace tessera
{
  /// The Jacobi preconditioner M = diag(A) (RegulyGiles2015, section 11). The
  /// diagonal is computed once, by the constructor.
  template <class Number>
  class Jacobi : public Preconditioner<Number>
  {
  public:
    explicit Jacobi(const Operator<Number> &A, Stream stream = {});

    void
    apply(Vector<Number> &z, const Vector<Number> &r,
          Stream stream) const override;

    const Vector<Number> *
    inverse_diagonal() const override
    {
      return &inverse;
    }

    Traffic
    traffic() const override;

    std::string
    name() const override
    {
      return "jacobi";
    }

  private:
    Vector<Number> inverse;
  };
} // namespace tessera
