#pragma once

#include <tessera/preconditioners/preconditioner.h>

namespace tessera
{
  /// M = 1, for conjugate gradients without preconditioning. It stores a
  /// diagonal of ones, so that solvers need no separate code. Therefore it
  /// moves as many bytes as `Jacobi`.
  template <class Number>
  class None : public Preconditioner<Number>
  {
  public:
    explicit None(const Operator<Number> &A);

    void
    apply(Vector<Number> &z, const Vector<Number> &r,
          Stream stream) const override;

    const Vector<Number> *
    inverse_diagonal() const override
    {
      return &ones;
    }

    Traffic
    traffic() const override;

    std::string
    name() const override
    {
      return "none";
    }

  private:
    Vector<Number> ones;
  };
} // namespace tessera
