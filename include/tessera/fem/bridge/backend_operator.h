#pragma once

#include <tessera/fem/bridge/backend_vector.h>
#include <tessera/operators/operator.h>
#include <tessera/preconditioners/preconditioner.h>

namespace tessera
{
  /// Lets deal.II's solvers use an operator on free degrees of freedom as their
  /// MatrixType. The operator must live longer than this object.
  template <class Number>
  class BackendOperator
  {
  public:
    explicit BackendOperator(const Operator<Number> &A) : A(A)
    {}

    void
    vmult(BackendVector<Number> &y, const BackendVector<Number> &x) const
    {
      A.vmult(y.local(), x.local());
      zero_tail(y.local());
    }

  private:
    const Operator<Number> &A;
  };

  /// Lets deal.II's solvers use a preconditioner as their PreconditionerType.
  /// The preconditioner must live longer than this object.
  template <class Number>
  class BackendPreconditioner
  {
  public:
    explicit BackendPreconditioner(const Preconditioner<Number> &M) : M(M)
    {}

    void
    vmult(BackendVector<Number> &z, const BackendVector<Number> &r) const
    {
      M.apply(z.local(), r.local(), {});
      zero_tail(z.local());
    }

  private:
    const Preconditioner<Number> &M;
  };
} // namespace tessera
