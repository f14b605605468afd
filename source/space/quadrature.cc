#include <tessera/space/quadrature.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace tessera
{
  namespace
  {
    constexpr int max_points = 10;
    constexpr int max_steps  = 100;
    constexpr long double pi = 3.14159265358979323846264338327950288L;

    void
    check_count(const int n, const int least)
    {
      if (n < least || n > max_points)
        throw std::out_of_range("number of points is " + std::to_string(n) +
                                ", legal are " + std::to_string(least) +
                                " to " + std::to_string(max_points));
    }

    /// Returns P_n(x), the Legendre polynomial on [-1,1], and its derivative.
    std::pair<long double, long double>
    legendre(const int n, const long double x)
    {
      long double previous = 1, value = x, derivative = 1;
      if (n == 0)
        return {1, 0};
      for (int k = 2; k <= n; ++k)
        {
          const long double next =
            ((2 * k - 1) * x * value - (k - 1) * previous) / k;
          derivative = k * value + x * derivative;
          previous   = value;
          value      = next;
        }
      return {value, derivative};
    }

    /// Newton's method in extended precision, with `step(x)` = f(x) / f'(x).
    template <class Step>
    long double
    root(long double x, const Step &step)
    {
      for (int i = 0; i < max_steps; ++i)
        {
          const long double change = step(x);
          x -= change;
          if (std::abs(change) < 1e-18L)
            break;
        }
      return x;
    }

    /// Root `i` of the Legendre polynomial of degree n; roots descend with i.
    long double
    gauss_root(const int n, const int i)
    {
      if (2 * i + 1 == n)
        return 0;
      return root(std::cos(pi * (i + 0.75L) / (n + 0.5L)),
                  [n](const long double x) {
                    const auto [value, derivative] = legendre(n, x);
                    return value / derivative;
                  });
    }

    /// Sets two points on [0,1] from x >= 0 on [-1,1], so that x_i + x_(n-1-i)
    /// = 1 up to the rounding of 1 - x alone.
    void
    set_pair(std::vector<double> &points, const int i, const long double x)
    {
      const double low              = static_cast<double>((1 - x) / 2);
      points[i]                     = low;
      points[points.size() - 1 - i] = x == 0 ? 0.5 : 1 - low;
    }
  } // namespace


  std::vector<double>
  gauss_points(const int n)
  {
    check_count(n, 1);
    std::vector<double> points(n);
    for (int i = 0; i < (n + 1) / 2; ++i)
      set_pair(points, i, gauss_root(n, i));
    return points;
  }


  std::vector<double>
  gauss_weights(const int n)
  {
    check_count(n, 1);
    std::vector<double> weights(n);
    for (int i = 0; i < (n + 1) / 2; ++i)
      {
        const long double x          = gauss_root(n, i);
        const long double derivative = legendre(n, x).second;
        weights[i] =
          static_cast<double>(1 / ((1 - x * x) * derivative * derivative));
        weights[n - 1 - i] = weights[i];
      }
    return weights;
  }


  std::vector<double>
  gauss_lobatto_points(const int n)
  {
    check_count(n, 2);
    const int degree = n - 1;
    std::vector<double> points(n);
    set_pair(points, 0, 1);
    for (int i = 1; i < (n + 1) / 2; ++i)
      {
        // Inner points are the roots of P', and (1-x^2) P'' = 2x P' - n(n-1) P.
        const long double x =
          2 * i == degree
            ? 0
            : root(std::cos(pi * i / degree), [degree](const long double x) {
                const auto [value, derivative] = legendre(degree, x);
                return derivative * (1 - x * x) /
                       (2 * x * derivative - degree * (degree + 1) * value);
              });
        set_pair(points, i, x);
      }
    return points;
  }
} // namespace tessera
