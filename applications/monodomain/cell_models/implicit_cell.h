#pragma once

#include "cell_rates.h"
#include "dual.h"

#include <cmath>

// Implicit steps at one point: the scheme of WongKuhlDarve2015, Table 1, for
// models with one recovery variable, and the method of Rush and Larsen, driven
// by the new potential, for all others.
namespace tessera
{
  /// True for models whose recovery is one variable r that is no gate, for
  /// which an equation is solved at every point.
  template <class Model>
  constexpr bool has_one_recovery = Model::n_states == 2 && Model::n_gates == 0;

  /// What the equation of the potential needs of a point: the n states at the
  /// new time, without the first one, the potential, and the rate of the
  /// potential with its derivative, in which r follows the potential. For one
  /// recovery variable that is
  ///   df/dphi = f_phi + f_r tau g_phi / (1 - tau g_r).
  template <class T, int n>
  struct PointRates
  {
    T state[n], rate, slope;
  };

  TESSERA_HOST_DEVICE bool
  all_less(const double a, const double b)
  {
    return a < b;
  }

  /// True if a < b in all lanes; not if one is not a number.
  template <class Number, int width>
  TESSERA_HOST bool
  all_less(const Simd<Number, width> a, const Simd<Number, width> b)
  {
    bool all = true;
    for (int lane = 0; lane < width; ++lane)
      all = all && a[lane] < b[lane];
    return all;
  }

  /// Solves r = r_history + tau g(phi, r) for r by Newton's method from `guess`
  /// on: backward Euler with tau the time step and r_history the former r;
  /// other formulas of backward differences have the same form. Derivatives are
  /// exact (Dual). It ends when a correction is below 1e-8 of the terms, whose
  /// square is what is left; if it does not, the rates are not numbers.
  template <class Model, class T>
  TESSERA_HOST_DEVICE PointRates<T, 2>
  solve_recovery(const T phi, const T history, const T guess,
                 const T (&p)[Model::n_parameters], const T stimulus,
                 const T tau)
  {
    static_assert(has_one_recovery<Model>, "one variable is solved for");
    constexpr int max_iterations = 30;
    using D                      = Dual<T, 2>;
    const auto magnitude         = [](const T a) {
      return select_less(a, T(0.), -a, a);
    };
    CellRates<D, 2> rates;
    const auto evaluate = [&](const T r) {
      const D y[2] = {D(phi, 0), D(r, 1)};
      Model::rates(y, p, stimulus, rates);
    };
    const D &f = rates.derivative[0], &g = rates.derivative[1];
    T r            = guess;
    bool converged = false;
    TESSERA_ROLLED
    for (int k = 0; k < max_iterations && !converged; ++k)
      {
        evaluate(r);
        const T correction =
          (r - history - tau * g.value) / (T(1.) - tau * g.derivative[1]);
        const T size = magnitude(r) + magnitude(history) +
                       magnitude(tau * g.value) + T(1e-20);
        r         = r - correction;
        converged = all_less(magnitude(correction), T(1e-8) * size);
      }
    evaluate(r);
    const T by_phi = tau * g.derivative[0] / (T(1.) - tau * g.derivative[1]);
    const T slope  = f.derivative[0] + f.derivative[1] * by_phi;
    if (!converged)
      return {{phi, r}, T(double(NAN)), slope};
    return {{phi, r}, f.value, slope};
  }

  /// Advances states, whose first one is not read, while the potential goes
  /// linearly from `former` to `phi`: gates by the method of Rush and Larsen
  /// and the others by explicit Euler, with the rates at phi (order 1) or, for
  /// all states, in the middle of the step (order 2, the second method of
  /// PeregoVeneziani2009). Their derivatives by phi are exact (Dual), so that
  /// Newton's method for the potential converges quadratically; gates are
  /// stable for any step.
  template <class Model, class T>
  TESSERA_HOST_DEVICE PointRates<T, Model::n_states>
  follow_potential(const T phi, const T former,
                   const T (&states)[Model::n_states],
                   const T (&p)[Model::n_parameters], const T stimulus,
                   const T step, const int order)
  {
    using D         = Dual<T, 1>;
    constexpr int n = Model::n_states;
    const D end(phi, 0);
    D y[n], at[n], next[n];
    TESSERA_UNROLL_BY(64)
    for (int i = 1; i < n; ++i)
      at[i] = y[i] = D(states[i]);
    y[0]  = end;
    at[0] = end;
    if (order == 2)
      {
        at[0] = (end + former) * T(0.5);
        advance_states<Model, false>(y, at, p, stimulus, step * T(0.5), {},
                                     next);
        TESSERA_UNROLL_BY(64)
        for (int i = 1; i < n; ++i)
          at[i] = next[i];
      }
    advance_states<Model, false>(y, at, p, stimulus, step, {}, next);
    next[0] = end;
    CellRates<D, n> rates;
    Model::rates(next, p, stimulus, rates);
    PointRates<T, n> result;
    TESSERA_UNROLL_BY(64)
    for (int i = 0; i < n; ++i)
      result.state[i] = next[i].value;
    result.rate  = rates.derivative[0].value;
    result.slope = rates.derivative[0].derivative[0];
    return result;
  }
} // namespace tessera
