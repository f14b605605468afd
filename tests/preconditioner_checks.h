#pragma once

#include <tessera/preconditioners/preconditioner.h>

#include <limits>

#include "problems.h"
#include "test.h"

namespace tessera::test
{
  /// Returns z = M^-1 r.
  template <class Number>
  std::vector<Number>
  preconditioned(const Preconditioner<Number> &M, const Operator<Number> &A,
                 const std::vector<Number> &r)
  {
    Vector<Number> z = A.make_vector();
    M.apply(z, make_vector(A, r), {});
    return owned_values(z);
  }

  template <class Number>
  double
  dot(const std::vector<Number> &x, const std::vector<Number> &y)
  {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      sum += double(x[i]) * double(y[i]);
    return sum;
  }

  /// Expects x . M^-1 y = y . M^-1 x up to rounding and x . M^-1 x > 0, for
  /// random vectors.
  template <class Number>
  void
  expect_symmetric_and_positive(const Preconditioner<Number> &M,
                                const Operator<Number> &A)
  {
    for (unsigned int seed = 1; seed <= 4; ++seed)
      {
        const auto x  = random_values<Number>(A.n_owned(), seed);
        const auto y  = random_values<Number>(A.n_owned(), seed + 10);
        const auto Mx = preconditioned(M, A, x), My = preconditioned(M, A, y);
        const double size = std::sqrt(dot(x, Mx) * dot(y, My));
        EXPECT_GT(dot(x, Mx), 0);
        EXPECT_NEAR(dot(x, My), dot(y, Mx),
                    1000 * std::numeric_limits<Number>::epsilon() * size);
      }
  }
} // namespace tessera::test
