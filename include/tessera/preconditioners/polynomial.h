#pragma once

#include <tessera/preconditioners/preconditioner.h>
#include <tessera/preconditioners/spectrum.h>

#include <vector>

namespace tessera
{
  enum class PolynomialKind
  {
    neumann,       ///< w (1 + G + ... + G^m), G = 1 - w t, w = 1 / upper bound
    least_squares, ///< least mean square of 1 - t p(t) with Chebyshev's weight
    chebyshev      ///< least maximum of |1 - t p(t)|
  };

  struct PolynomialOptions
  {
    PolynomialKind kind = PolynomialKind::least_squares;
    int degree          = 4; ///< m of p, and the products of an application
    int lanczos_steps   = 16;
    /// If positive, p is made for [upper / range, upper] instead of the
    /// estimated interval: it damps the upper part of the spectrum, as a
    /// smoother does.
    double smoothing_range = 0;
  };

  /// One step of a polynomial iteration for A x = b:
  ///   d = before d + residual D^-1 (b - A x),  x += d.
  struct PolynomialStep
  {
    double before, residual;
  };

  /// Returns the `degree` + 1 steps that lead from x = 0 to p(D^-1 A) D^-1 b,
  /// where p has that degree and is made for the interval [lower, upper]. For
  /// least squares they are the steps of conjugate gradients on the points of
  /// Gauss's quadrature for Chebyshev's weight, whose residuals are the
  /// polynomials in question. Throws ParameterError unless 0 <= degree <= 100
  /// and 0 < lower <= upper.
  std::vector<PolynomialStep>
  polynomial_steps(PolynomialKind kind, int degree, double lower, double upper);

  /// Polynomial preconditioner
  ///   z = p(D^-1 A) D^-1 r,  D = diag(A)
  /// (ZhangZhang2013, section 4). It needs products with A alone. M is
  /// symmetric, and positive definite if all eigenvalues of D^-1 A are positive
  /// and below the upper bound (spectrum.h): then t p(t) > 0. Scaling rows and
  /// columns of A by D^-1/2, as the paper does, gives the same iterates.
  ///
  /// Besides the products an application moves 1 + 7 m numbers per entry, or 3
  /// if m = 0.
  template <class Number>
  class Polynomial : public Preconditioner<Number>
  {
  public:
    /// Estimates the spectrum, which synchronises. `A` must outlive this
    /// object. Throws ParameterError if A is of a form that is not symmetric.
    explicit Polynomial(const Operator<Number> &A,
                        const PolynomialOptions &options = {},
                        Stream stream                    = {});

    /// Takes known bounds instead.
    Polynomial(const Operator<Number> &A, const PolynomialOptions &options,
               const SpectrumBounds &bounds, Stream stream = {});

    void
    apply(Vector<Number> &z, const Vector<Number> &r,
          Stream stream) const override;

    /// Computes x += p(D^-1 A) D^-1 (b - A x), which takes one product more.
    void
    smooth(Vector<Number> &x, const Vector<Number> &b, Stream stream) const;

    Traffic
    traffic() const override;

    std::string
    name() const override;

    /// degree, lower and upper bound, products and seconds of the estimate.
    RecordValues
    parameters() const override;

    const SpectrumBounds &
    bounds() const
    {
      return spectrum;
    }

  private:
    Polynomial(const Operator<Number> &A, const PolynomialOptions &options,
               const SpectrumBounds *known, Stream stream);

    /// Makes step k. `last` is d of the step before, if that is used.
    void
    step(std::size_t k, Vector<Number> &x, const Vector<Number> &b,
         const Number *last, Stream stream) const;

    /// Makes the steps after the first one, whose d is `last`.
    void
    go_on(Vector<Number> &x, const Vector<Number> &b, const Number *last,
          Stream stream) const;

    const Operator<Number> &A;
    PolynomialOptions options;
    Vector<Number> inverse_diagonal;
    SpectrumBounds spectrum;
    std::vector<PolynomialStep> steps;
    mutable Vector<Number> direction, product; ///< d and A x
  };
} // namespace tessera
