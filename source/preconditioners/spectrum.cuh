#pragma once

#include <tessera/base/for_each.h>
#include <tessera/base/random.h>

#include <cmath>
#include <vector>

// Lanczos's method for D^-1/2 A D^-1/2 by the coefficients of conjugate
// gradients with M = D. All scalar products stay in the memory of the backend
// until the last step, so that the host waits once.
namespace tessera
{
  /// The scalar products: r z, and behind it p q and r z after each step.
  struct LanczosDots
  {
    const double *values; ///< [2 n_steps + 1]

    /// Before step k, the factor of the direction before.
    TESSERA_HOST_DEVICE double
    ratio(const int k) const
    {
      return k > 0 ? values[2 * k] / values[2 * k - 2] : 0.;
    }

    TESSERA_HOST_DEVICE double
    step(const int k) const
    {
      return values[2 * k] / values[2 * k + 1];
    }
  };

  /// The symmetric tridiagonal matrix of the method.
  struct LanczosMatrix
  {
    std::vector<double> diagonal, off_diagonal;
  };

  /// Returns the matrix for the products of `LanczosDots`. Steps after
  /// convergence, and from the first one on that finds A or D not positive
  /// definite, do not count.
  LanczosMatrix
  lanczos_matrix(const std::vector<double> &products);

  /// A pass of step k, for which all entries have one factor.
  template <class Number>
  struct SpectrumPass : Pass
  {
    const Number *d; ///< entries of D^-1
    Number *r, *p;
    const Number *q;
    LanczosDots dots;
    int k;

    struct Scalars
    {
      static constexpr bool idle = false;
      Number factor;
    };

    TESSERA_HOST_DEVICE double
    share(int, const std::int64_t i) const
    {
      return double(r[i]) * double(d[i] * r[i]);
    }
  };

  /// r = (a number in [-1, 1)) / sqrt(d) and the sum r . D^-1 r. Moves 2
  /// numbers per entry.
  template <class Number>
  struct SpectrumStart : SpectrumPass<Number>
  {
    static constexpr int n_sums = 1;
    RandomSequence random;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i, const Pass::Scalars &) const
    {
      const auto value = static_cast<Number>(2 * random.uniform_after(i) - 1);
      this->r[i]       = value / sqrt(this->d[i]);
    }

    TESSERA_HOST_DEVICE Pass::Scalars
    begin() const
    {
      return {};
    }
  };

  /// p = D^-1 r + ratio p. Moves 4 numbers per entry.
  template <class Number>
  struct SpectrumDirection : SpectrumPass<Number>
  {
    using Scalars = typename SpectrumPass<Number>::Scalars;

    TESSERA_HOST_DEVICE Scalars
    begin() const
    {
      return {static_cast<Number>(this->dots.ratio(this->k))};
    }

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i, const Scalars &scalars) const
    {
      this->p[i] = this->d[i] * this->r[i] + scalars.factor * this->p[i];
    }
  };

  /// r = r - step q and the sum r . D^-1 r. Moves 4 numbers per entry.
  template <class Number>
  struct SpectrumStep : SpectrumPass<Number>
  {
    static constexpr int n_sums = 1;
    using Scalars               = typename SpectrumPass<Number>::Scalars;

    TESSERA_HOST_DEVICE Scalars
    begin() const
    {
      return {static_cast<Number>(this->dots.step(this->k))};
    }

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i, const Scalars &scalars) const
    {
      this->r[i] -= scalars.factor * this->q[i];
    }
  };
} // namespace tessera
