#pragma once

#include <tessera/base/vector_operations.h>
#include <tessera/preconditioners/polynomial.h>

#include <vector>

namespace tessera
{
  /// A step of dV/dt = -L V by the Runge-Kutta-Chebyshev method of order 1 or 2
  /// (VerwerHundsdorferSommeijer1990): V <- R(dt L) V with
  ///   R(z) = 1 - factor + factor T_s(w_0 - w_1 z) / T_s(w_0),
  /// T_s being Chebyshev's polynomial. R agrees with exp(-z) to its order, and
  /// |R| <= 1 on [0, reach], which grows with s^2.
  struct StageSteps
  {
    /// The least stages, and as many products, for eigenvalues of dt L up to z.
    /// Throws ParameterError if these are more than 100.
    StageSteps(int order, double z);

    /// The steps d = before d + residual z x, x -= d that lead from 1 to
    /// T_s(w_0 - w_1 z) / T_s(w_0).
    std::vector<PolynomialStep> steps;
    double factor, reach;
  };

  /// Steps of dV/dt = -M^-1 K V with a diagonal M, the lumped mass.
  ///
  /// A stage takes a product with K and a pass that moves 4 numbers an entry if
  /// it is the only one, and at most 6. The sum of M V changes by rounding
  /// alone. As repeatable as K.
  template <class Number>
  class DiffusionStages
  {
  public:
    /// Estimates the spectrum of M^-1 K, which synchronises. `inverse_mass` has
    /// the diagonal of M^-1. K must outlive this object.
    DiffusionStages(const Operator<Number> &K, Vector<Number> inverse_mass);

    /// Returns the stages of a step of length dt.
    StageSteps
    steps(const int order, const double dt) const
    {
      return {order, dt * spectrum.upper};
    }

    /// Advances V by dt. Does not synchronise, and can be captured in a graph.
    void
    advance(Vector<Number> &V, const StageSteps &step, double dt,
            Stream stream = {});

    /// Returns false if the product of the last stage is infinite or not a
    /// number somewhere. Synchronises. For all parts together.
    bool
    is_finite() const;

    const SpectrumBounds &
    bounds() const
    {
      return spectrum;
    }

  private:
    const Operator<Number> &K;
    const Vector<Number> inverse_mass;
    const SpectrumBounds spectrum;
    const VectorOperations<Number> operations; ///< of all parts
    Vector<Number> product, direction, iterate;
  };
} // namespace tessera
