#pragma once

#include <tessera/preconditioners/jacobi.h>

namespace tessera
{
  /// The l1 Jacobi preconditioner (Baker, Falgout, Kolev and Yang 2011): M is
  /// diagonal and has the sum of the magnitudes of each row of A,
  ///   M_ii = sum_j |a_ij|.
  /// M - A is positive semidefinite for every symmetric A. So the iteration x
  /// += M^-1 (b - A x) converges for every A that is also positive definite,
  /// whereas Jacobi's iteration may diverge. M is never smaller than diag(A),
  /// and conjugate gradients may need more iterations than with diag(A).
  ///
  /// A column that a format stores several times in a row counts every time,
  /// which makes M larger and is as safe.
  template <class Number>
  class L1Jacobi : public DiagonalPreconditioner<Number>
  {
  public:
    /// Computes M; later changes of A do not change it. If A is one of several
    /// parts, M is the sum over all parts, each with its own cells; all parts
    /// construct theirs at the same time. This M is not smaller than M of the
    /// whole matrix. Throws ParameterError for an operator that does not store
    /// rows.
    explicit L1Jacobi(const Operator<Number> &A, Stream stream = {});

    std::string
    name() const override
    {
      return "l1_jacobi";
    }
  };
} // namespace tessera
