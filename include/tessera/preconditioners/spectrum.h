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
    int n_products = 0;
    double seconds = 0; ///< that the estimate took
  };

  /// Estimates the bounds by `n_steps` steps of Lanczos's method
  /// (ZhangZhang2013, section 5.3), which starts from a vector of random
  /// numbers that are always the same, others on each part. A safeguard keeps
  /// the upper bound above the largest eigenvalue: it is the largest Ritz value
  /// plus the norm of its residual, times 1.05. Ends early where A or D is not
  /// positive definite or the Krylov space is exhausted; without a single step,
  /// both bounds are 1. Synchronises. The parts of a divided problem estimate
  /// it together.
  template <class Number>
  SpectrumBounds
  estimate_spectrum(const Operator<Number> &A,
                    const Vector<Number> &inverse_diagonal, int n_steps = 16,
                    Stream stream = {});

  /// The eigenvalue of a symmetric tridiagonal matrix, of which `diagonal` has
  /// n and `off_diagonal` n - 1 entries or more, that has `index` smaller ones.
  double
  tridiagonal_eigenvalue(const std::vector<double> &diagonal,
                         const std::vector<double> &off_diagonal, int index);
} // namespace tessera
