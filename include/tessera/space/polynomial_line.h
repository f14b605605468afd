#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// Sums along a line of n = p + 1 Gauss-Lobatto nodes and as many Gauss
  /// points of [0, 1], for degrees 3 and 4. A polynomial of degree p is
  ///   f = A(s) + t B(s), t = x - 1/2, s = t^2,
  ///   A = a_0 + 5/2 (s - s_0) a_2 or a_0 + s a_2 + 14 s (s - s_0) a_4,
  ///   B = a_1 + k (s - s_0) a_3, k = 5 or 7 at degrees 3 and 4,
  /// where s_0 belongs to the two points next to the middle. Points -t and t
  /// share A and B, and most terms vanish at one of the pairs: values of
  /// degree 3 at all points take 6 multiplications with an addition where a
  /// table takes 16, of degree 4 8 where it takes 25.
  template <int n, class Number>
  struct PolynomialLine
  {
    static_assert(n == 4 || n == 5, "degrees 3 and 4");

    static constexpr int n_constant = 1; ///< functions without a derivative

    /// Sets values and derivatives of the n functions at the place t.
    TESSERA_HOST_DEVICE static void
    functions(const Number t, Number (&values)[n], Number (&slopes)[n])
    {
      TESSERA_UNROLL
      for (int k = 0; k < n; ++k)
        {
          values[k] = value_weight(k, t * t) * (k % 2 == 0 ? Number(1) : t);
          slopes[k] = slope_weight(k, t * t) * (k % 2 == 0 ? t : Number(1));
        }
    }

    /// Replaces values at the nodes by a_0 to a_p.
    TESSERA_HOST_DEVICE static void
    to_polynomial(Number (&f)[n])
    {
      const Number outer = f[n - 1] - f[0], inner = f[n - 2] - f[1];
      Number even_outer = f[n - 1] + f[0], even_inner = f[n - 2] + f[1];
      if constexpr (n == 4)
        {
          f[0] =
            Number(mix / 2) * even_outer + Number((1 - mix) / 2) * even_inner;
          f[2] = even_outer - even_inner;
        }
      else
        {
          const Number middle = f[2];
          even_outer -= 2 * middle;
          even_inner -= 2 * middle;
          f[0] = middle;
          f[2] = Number(2 * mix) * even_outer +
                 Number((1 - mix) * 14 / 3) * even_inner;
          f[4] = even_outer - Number(7. / 3) * even_inner;
        }
      f[1] = Number(mix) * outer + Number((1 - mix) * slope_inner) * inner;
      f[3] = outer - Number(slope_inner) * inner;
    }

    /// The transpose of `to_polynomial`.
    TESSERA_HOST_DEVICE static void
    to_nodes(Number (&a)[n])
    {
      const Number outer = Number(mix) * a[1] + a[3];
      const Number inner =
        Number((1 - mix) * slope_inner) * a[1] - Number(slope_inner) * a[3];
      Number even_outer, even_inner;
      if constexpr (n == 4)
        {
          even_outer = Number(mix / 2) * a[0] + a[2];
          even_inner = Number((1 - mix) / 2) * a[0] - a[2];
        }
      else
        {
          even_outer = Number(2 * mix) * a[2] + a[4];
          even_inner =
            Number((1 - mix) * 14 / 3) * a[2] - Number(7. / 3) * a[4];
          a[2] = a[0] - 2 * (even_outer + even_inner);
        }
      a[0]     = even_outer - outer;
      a[1]     = even_inner - inner;
      a[n - 2] = even_inner + inner;
      a[n - 1] = even_outer + outer;
    }

    /// Sets f to the values at the points, or to the derivatives.
    TESSERA_HOST_DEVICE static void
    values(const Number (&a)[n], Number (&f)[n])
    {
      if constexpr (n == 5)
        f[2] = a[0];
      TESSERA_UNROLL
      for (int pair = 0; pair < n / 2; ++pair)
        {
          const double s = t(pair) * t(pair);
          Number even = a[0], odd = a[1];
          TESSERA_UNROLL
          for (int k = 2; k < n; ++k)
            if (!vanishes(k, pair))
              (k % 2 == 0 ? even : odd) += Number(value_weight(k, s)) * a[k];
          f[above(pair)] = even + Number(t(pair)) * odd;
          f[below(pair)] = even - Number(t(pair)) * odd;
        }
    }

    TESSERA_HOST_DEVICE static void
    slopes(const Number (&a)[n], Number (&f)[n])
    {
      if constexpr (n == 5)
        f[2] = a[1] + Number(slope_weight(3, 0.)) * a[3];
      TESSERA_UNROLL
      for (int pair = 0; pair < n / 2; ++pair)
        {
          const double s = t(pair) * t(pair), lead = slope_weight(2, s);
          const Number even = a[1] + Number(slope_weight(3, s)) * a[3];
          Number odd        = a[2];
          if constexpr (n == 5)
            odd += Number(slope_weight(4, s) / lead) * a[4];
          f[above(pair)] = even + Number(lead * t(pair)) * odd;
          f[below(pair)] = even - Number(lead * t(pair)) * odd;
        }
    }

    /// Sets a to what f at the points tests by values, or by derivatives: the
    /// transposes of `values` and `slopes`.
    TESSERA_HOST_DEVICE static void
    test_values(const Number (&f)[n], Number (&a)[n])
    {
      test<false>(f, a);
    }

    TESSERA_HOST_DEVICE static void
    test_slopes(const Number (&f)[n], Number (&a)[n])
    {
      test<true>(f, a);
    }

  private:
    /// Places of the points above the middle.
    TESSERA_HOST_DEVICE static constexpr double
    t(const int pair)
    {
      return n == 4
               ? (pair == 0 ? 0.16999052179242813240 : 0.43056815579702628761)
               : (pair == 0 ? 0.26923465505284154552 : 0.45308992296933199640);
    }

    /// The factor of a_k in A or B.
    template <class T>
    TESSERA_HOST_DEVICE static constexpr T
    value_weight(const int k, const T s)
    {
      return k < 2    ? T(1)
             : k == 2 ? (n == 4 ? T(2.5) * (s - T(s_0)) : s)
             : k == 3 ? T(k_3) * (s - T(s_0))
                      : T(14) * s * (s - T(s_0));
    }

    /// The factor of a_k in f' = C(s) + t D(s): of odd k in C, even k in D.
    template <class T>
    TESSERA_HOST_DEVICE static constexpr T
    slope_weight(const int k, const T s)
    {
      return k < 2    ? T(k)
             : k == 2 ? T(n == 4 ? 5 : 2)
             : k == 3 ? T(k_3) * (3 * s - T(s_0))
                      : T(28) * (2 * s - T(s_0));
    }

    static constexpr double s_0 =
      n == 4 ? 0.16999052179242813240 * 0.16999052179242813240
             : 0.26923465505284154552 * 0.26923465505284154552;
    static constexpr double k_3 = n == 4 ? 5 : 7;
    /// 1 / (2 t) at the node next to the upper end.
    static constexpr double slope_inner =
      n == 4 ? 2.2360679774997896964 : 1.5275252316519466750;
    /// Weight of the ends where a linear function of s is interpolated at s_0.
    static constexpr double mix = n == 4 ? 5 * s_0 - 0.25 : 7 * s_0 - 0.75;

    /// Says whether function k is 0 at a pair of points.
    TESSERA_HOST_DEVICE static constexpr bool
    vanishes(const int k, const int pair)
    {
      return pair == 0 && (k > 2 || (n == 4 && k == 2));
    }

    TESSERA_HOST_DEVICE static constexpr int
    above(const int pair)
    {
      return n - n / 2 + pair;
    }

    TESSERA_HOST_DEVICE static constexpr int
    below(const int pair)
    {
      return n / 2 - 1 - pair;
    }

    template <bool by_slopes>
    TESSERA_HOST_DEVICE static void
    test(const Number (&f)[n], Number (&a)[n])
    {
      Number sum[n / 2], difference[n / 2];
      TESSERA_UNROLL
      for (int pair = 0; pair < n / 2; ++pair)
        {
          sum[pair]        = f[above(pair)] + f[below(pair)];
          difference[pair] = f[above(pair)] - f[below(pair)];
        }
      TESSERA_UNROLL
      for (int k = 0; k < n; ++k)
        {
          const bool is_even = k % 2 == (by_slopes ? 1 : 0);
          bool starts        = true;
          Number total       = Number(0);
          const auto add     = [&](const double weight, const Number x) {
            total  = starts ? Number(weight) * x : total + Number(weight) * x;
            starts = false;
          };
          if (n == 5 && is_even && (by_slopes || k == 0))
            add(by_slopes ? slope_weight(k, 0.) : 1., f[n / 2]);
          TESSERA_UNROLL
          for (int pair = 0; pair < n / 2; ++pair)
            if (by_slopes ? k > 0 : !vanishes(k, pair))
              {
                const double s = t(pair) * t(pair);
                const double weight =
                  by_slopes ? slope_weight(k, s) : value_weight(k, s);
                add(is_even ? weight : weight * t(pair),
                    is_even ? sum[pair] : difference[pair]);
              }
          a[k] = total;
        }
    }
  };

  /// The same at degree 2, where a_k are the values at the nodes themselves:
  /// kernels of this degree wait for one operation after another rather than
  /// for many. ReferenceElement has its functions.
  template <class Number>
  struct PolynomialLine<3, Number>
  {
    static constexpr int n = 3, n_constant = 0;

    TESSERA_HOST_DEVICE static void
    to_polynomial(Number (&)[n])
    {}

    TESSERA_HOST_DEVICE static void
    to_nodes(Number (&)[n])
    {}

    TESSERA_HOST_DEVICE static void
    values(const Number (&a)[n], Number (&f)[n])
    {
      f[0] = near * a[0] + middle * a[1] + far * a[2];
      f[1] = a[1];
      f[2] = far * a[0] + middle * a[1] + near * a[2];
    }

    TESSERA_HOST_DEVICE static void
    slopes(const Number (&a)[n], Number (&f)[n])
    {
      f[0] = steep * a[0] + bend * a[1] + flat * a[2];
      f[1] = a[2] - a[0];
      f[2] = -flat * a[0] - bend * a[1] - steep * a[2];
    }

    TESSERA_HOST_DEVICE static void
    test_values(const Number (&f)[n], Number (&a)[n])
    {
      a[0] = near * f[0] + far * f[2];
      a[1] = middle * f[0] + f[1] + middle * f[2];
      a[2] = far * f[0] + near * f[2];
    }

    TESSERA_HOST_DEVICE static void
    test_slopes(const Number (&f)[n], Number (&a)[n])
    {
      a[0] = steep * f[0] - f[1] - flat * f[2];
      a[1] = bend * f[0] - bend * f[2];
      a[2] = flat * f[0] + f[1] - steep * f[2];
    }

  private:
    static constexpr double t    = 0.38729833462074168852; ///< sqrt(15) / 10
    static constexpr Number near = Number(0.3 + t), far = Number(0.3 - t),
                            middle = Number(0.4), steep = Number(-4 * t - 1),
                            bend = Number(8 * t), flat = Number(1 - 4 * t);
  };
} // namespace tessera
