#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/simd.h>

namespace tessera
{
  /// Where tables of gates have their potentials. On each of the intervals of
  /// equal length a function of V is a polynomial of degree 3, which agrees
  /// with it at the points of Chebyshev inside of the interval: a jump between
  /// two intervals, such as the jump of the rates at -40 mV, does no harm.
  /// Outside of all intervals functions have the value at the end. In between
  /// limits and decays, which are in [0, 1], are off by less than 1e-7, and by
  /// 2e-6 for two gates of `ohara_rudy`, whose rates jump within a millivolt
  /// (tests/applications/monodomain/membrane.cc).
  ///
  /// A table is [interval][function][coefficient], the latter of 1, u, u^2 and
  /// u^3 with u in [-1, 1]. Functions 2 k and 2 k + 1 are the limit and the
  /// decay exp(-dt rate) of gate k + 1.
  struct RateTable
  {
    static constexpr double first = -200, per_unit = 2; ///< in mV and 1/mV
    static constexpr int n_intervals = 1000, n_coefficients = 4;

    /// Returns the numbers of a table for one list of parameters.
    TESSERA_HOST_DEVICE static constexpr int
    size(const int n_gates)
    {
      return n_intervals * row(n_gates);
    }

    TESSERA_HOST_DEVICE static constexpr int
    row(const int n_gates)
    {
      return 2 * n_gates * n_coefficients;
    }

    /// Returns the interval of a potential, and sets u. A potential that is not
    /// a number is in the first one.
    template <class Number>
    TESSERA_HOST_DEVICE static int
    interval(const Number v, Number &u)
    {
      Number x = (v - Number(first)) * Number(per_unit);
      x        = x > Number(0) ? x : Number(0);
      x        = x < Number(n_intervals) ? x : Number(n_intervals);
      int k    = static_cast<int>(x);
      k        = k < n_intervals ? k : n_intervals - 1;
      u        = Number(2) * (x - Number(k)) - Number(1);
      return k;
    }
  };

  /// The tables of the cells in the lanes of T, each for its parameters, and
  /// their values at a potential.
  template <class T>
  struct TableAt
  {
    const T *table = nullptr;

    template <int n_gates>
    struct Row
    {
      const T *coefficients;
      T u;

      TESSERA_HOST_DEVICE
      Row(const TableAt &at, const T v)
      {
        const int k  = RateTable::interval(v, u);
        coefficients = at.table + k * RateTable::row(n_gates);
      }

      TESSERA_HOST_DEVICE T
      operator()(const int function) const
      {
        const T *const c = coefficients + function * RateTable::n_coefficients;
        return ((read_only(c + 3) * u + read_only(c + 2)) * u +
                read_only(c + 1)) *
                 u +
               read_only(c);
      }
    };
  };

  template <class Number, int width>
  struct TableAt<Simd<Number, width>>
  {
    using T = Simd<Number, width>;

    const Number *table[width] = {};

    template <int n_gates>
    struct Row
    {
      const Number *coefficients[width];
      T u;
      bool same = true; ///< for all lanes

      TESSERA_HOST
      Row(const TableAt &at, const T v) : u(Number(0))
      {
        for (int lane = 0; lane < width; ++lane)
          {
            Number of_lane;
            const int k = RateTable::interval(v[lane], of_lane);
            u.set(lane, of_lane);
            coefficients[lane] = at.table[lane] + k * RateTable::row(n_gates);
            same               = same && coefficients[lane] == coefficients[0];
          }
      }

      TESSERA_HOST T
      coefficient(const int place) const
      {
        T result(coefficients[0][place]);
        for (int lane = 1; lane < width && !same; ++lane)
          result.set(lane, coefficients[lane][place]);
        return result;
      }

      TESSERA_HOST T
      operator()(const int function) const
      {
        const int c = function * RateTable::n_coefficients;
        return ((coefficient(c + 3) * u + coefficient(c + 2)) * u +
                coefficient(c + 1)) *
                 u +
               coefficient(c);
      }
    };
  };

  /// The tables for steps of half and of the whole length.
  template <class T>
  struct CellTables
  {
    TableAt<T> half, whole;
  };
} // namespace tessera
