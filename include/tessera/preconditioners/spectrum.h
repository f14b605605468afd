#pragma once

#include <tessera/operators/operator.h>

#include <vector>

namespace tessera
{
  /// Bounds of the eigenvalues of D^-1 A with D = diag(A). The matrix A whose
  /// rows and columns are scaled to a diagonal of 1 has the same eigenvalues.
  struct SpectrumBounds
  {
    /// The smallest Ritz value. It is larger than the smallest eigenvalue, if
    /// that is not well separated from the others.
    double lower   = 0;
    double upper   = 0; ///< not below the largest eigenvalue
    int n_products = 0; ///< of the steps that the bounds follow from
    double seconds = 0; ///< of the estimate
  };

  /// Estimates the bounds by `n_steps` steps of Lanczos's method
  /// (ZhangZhang2013, section 5.3) from a vector of random numbers, which are
  /// the same in every run but differ between parts. A safeguard keeps the
  /// upper bound above the largest eigenvalue: it is the largest Ritz value
  /// plus the norm of its residual, times 1.05. Steps do not count once A or D
  /// is found not positive definite or the Krylov space is exhausted; without a
  /// single step, both bounds are 1. Synchronises once, in the end. The parts
  /// of a divided problem call this function together.
  template <class Number>
  SpectrumBounds
  estimate_spectrum(const Operator<Number> &A,
                    const Vector<Number> &inverse_diagonal, int n_steps = 16,
                    Stream stream = {});

  /// The eigenvalue of a symmetric tridiagonal matrix (n entries of `diagonal`,
  /// n - 1 of `off_diagonal`) with `index` smaller eigenvalues.
  double
  tridiagonal_eigenvalue(const std::vector<double> &diagonal,
                         const std::vector<double> &off_diagonal, int index);
} // namespace tessera
