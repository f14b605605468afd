#pragma once

#include "cell_models/cell_rates.h"

namespace tessera
{
  /// The rates of `ten_tusscher_panfilov.model`, written by hand.
  struct HandWrittenCell
  {
    static constexpr int n_states = 19, n_gates = 12, n_parameters = 26;

    /// The order of the states; m to fcass are gates, of which fcass does not
    /// depend on V.
    enum State
    {
      V,
      m,
      h,
      j,
      xr1,
      xr2,
      xs,
      r,
      s,
      d,
      f,
      f2,
      fcass,
      R,
      Ca,
      CaSR,
      CaSS,
      Na,
      K
    };

    enum Parameter
    {
      g_Na,
      g_CaL,
      g_K1,
      g_to,
      g_Kr,
      g_Ks,
      g_pCa,
      g_pK,
      g_bNa,
      g_bCa,
      P_NaK,
      k_NaCa,
      p_KNa,
      V_rel,
      V_up,
      V_leak,
      K_o,
      Na_o,
      Ca_o,
      temperature,
      s_half,
      tau_s_height,
      tau_s_centre,
      tau_s_width,
      tau_s_step,
      tau_s_least
    };

    template <class T>
    TESSERA_HOST_DEVICE static void
    rates(const T (&y)[n_states], const T (&p)[n_parameters], const T stimulus,
          CellRates<T, n_states> &rates)
    {
      gates(y, p, rates);
      currents(y, p, stimulus, rates);
    }

  private:
    /// 1 / (1 + e^((x - half) / slope)): falls with x for a positive slope.
    template <class T>
    TESSERA_HOST_DEVICE static T
    step_down(const T x, const T half, const double slope)
    {
      using std::exp;
      return T(1.) / (T(1.) + exp((x - half) * T(1. / slope)));
    }

    /// e^(-(x - centre)^2 / width)
    template <class T>
    TESSERA_HOST_DEVICE static T
    bell(const T x, const T centre, const T width)
    {
      using std::exp;
      return exp(-(x - centre) * (x - centre) / width);
    }

    template <class T>
    TESSERA_HOST_DEVICE static T
    square(const T x)
    {
      return x * x;
    }

    /// The gates of the currents Na and K.
    template <class T>
    TESSERA_HOST_DEVICE static void
    gates(const T (&y)[n_states], const T (&p)[n_parameters],
          CellRates<T, n_states> &rates)
    {
      using std::exp;
      using std::sqrt;
      const T v      = y[V], one(1.);
      const auto set = [&](const int gate, const T limit, const T tau) {
        rates.limit[gate] = limit;
        rates.rate[gate]  = one / tau;
      };
      set(m, square(step_down(v, T(-56.86), -9.03)),
          step_down(v, T(-60.), -5.) * T(0.1) *
            (step_down(v, T(-35.), 5.) + step_down(v, T(50.), 200.)));

      // Below -40 mV the rates of h and j have two terms, above one.
      const T edge(-40.), zero(0.);
      const T h_limit = square(step_down(v, T(-71.55), 7.43));
      rates.limit[h]  = h_limit;
      rates.limit[j]  = h_limit;
      rates.rate[h]   = select_less(
          v, edge,
          T(0.057) * exp((v + T(80.)) * T(-1 / 6.8)) +
            T(2.7) * exp(T(0.079) * v) + T(3.1e5) * exp(T(0.3485) * v),
          T(0.77 / 0.13) * step_down(v, T(-10.66), -11.1));
      const T opening = (T(-2.5428e4) * exp(T(0.2444) * v) -
                         T(6.948e-6) * exp(T(-0.04391) * v)) *
                        (v + T(37.78)) * step_down(v, T(-79.23), 1 / 0.311);
      rates.rate[j] =
        select_less(v, edge, opening, zero) +
        select_less(v, edge,
                    T(0.02424) * exp(T(-0.01052) * v) *
                      step_down(v, T(-40.14), -1 / 0.1378),
                    T(0.6) * exp(T(0.057) * v) * step_down(v, T(-32.), -10.));

      set(xr1, step_down(v, T(-26.), -7.),
          T(450. * 6.) * step_down(v, T(-45.), -10.) *
            step_down(v, T(-30.), 11.5));
      set(xr2, step_down(v, T(-88.), 24.),
          T(3. * 1.12) * step_down(v, T(-60.), -20.) *
            step_down(v, T(60.), 20.));
      set(xs, step_down(v, T(-5.), -14.),
          T(1400.) * sqrt(step_down(v, T(5.), -6.)) *
              step_down(v, T(35.), 15.) +
            T(80.));
      set(r, step_down(v, T(20.), -6.),
          T(9.5) * bell(v, T(-40.), T(1800.)) + T(0.8));
      set(s, step_down(v, p[s_half], 5.),
          p[tau_s_height] * bell(v, p[tau_s_centre], p[tau_s_width]) +
            p[tau_s_step] * step_down(v, T(20.), 5.) + p[tau_s_least]);

      // The gates of the current Ca.
      set(d, step_down(v, T(-8.), -7.5),
          (T(1.4) * step_down(v, T(-35.), -13.) + T(0.25)) * T(1.4) *
              step_down(v, T(-5.), 5.) +
            step_down(v, T(50.), -20.));
      const T below = step_down(v, T(-30.), 10.);
      set(f, step_down(v, T(-20.), 7.),
          T(1102.5) * bell(v, T(-27.), T(225.)) +
            T(200.) * step_down(v, T(13.), -10.) + T(180.) * below + T(20.));
      set(f2, T(0.67) * step_down(v, T(-35.), 7.) + T(0.33),
          T(562.) * bell(v, T(-27.), T(240.)) +
            T(31.) * step_down(v, T(25.), -10.) + T(80.) * below);
      const T held = one / (one + square(y[CaSS] * T(1 / 0.05)));
      set(fcass, T(0.6) * held + T(0.4), T(80.) * held + T(2.));
    }

    /// The currents, and what they do to potential and concentrations.
    template <class T>
    TESSERA_HOST_DEVICE static void
    currents(const T (&y)[n_states], const T (&p)[n_parameters],
             const T stimulus, CellRates<T, n_states> &rates)
    {
      using std::exp;
      using std::log;
      using std::sqrt;
      // The faraday constant in C/mmol; volumes in pl and capacitance in pF,
      // both as in the paper and divided by 10^3.
      constexpr double faraday = 96.4853415;
      constexpr double cell = 16.404, store = 1.094, cleft = 0.05468,
                       capacitance = 185.;
      const T v                    = y[V], one(1.);
      const T RT_F                 = p[temperature] * T(8.314472 / faraday);
      const T F_RT                 = one / RT_F;
      const T E_Na                 = RT_F * log(p[Na_o] / y[Na]);
      const T E_K                  = RT_F * log(p[K_o] / y[K]);
      const T E_Ks =
        RT_F * log((p[K_o] + p[p_KNa] * p[Na_o]) / (y[K] + p[p_KNa] * y[Na]));
      const T E_Ca = T(0.5) * RT_F * log(p[Ca_o] / y[Ca]);
      const T root = sqrt(p[K_o] * T(1 / 5.4));

      const T i_Na = p[g_Na] * y[m] * y[m] * y[m] * y[h] * y[j] * (v - E_Na);
      const T i_to = p[g_to] * y[r] * y[s] * (v - E_K);
      const T i_Kr = p[g_Kr] * root * y[xr1] * y[xr2] * (v - E_K);
      const T i_Ks = p[g_Ks] * y[xs] * y[xs] * (v - E_Ks);
      const T over = v - E_K;
      const T a_K1 = T(0.1) * step_down(over, T(200.), 1 / 0.06);
      const T b_K1 = (T(3.) * exp(T(0.0002) * (over + T(100.))) +
                      exp(T(0.1) * (over - T(10.)))) *
                     step_down(over, T(0.), -2.);
      const T i_K1 = p[g_K1] * root * a_K1 / (a_K1 + b_K1) * over;

      // x / (e^x - 1) is 1 at 15 mV, where both are 0.
      const T x   = T(2.) * (v - T(15.)) * F_RT;
      const T e_x = exp(x);
      const T tiny(1e-6);
      const T flat = select_less(x * x, tiny * tiny, one, T(0.));
      const T quotient =
        select_less(x * x, tiny * tiny, one, x / (e_x - one + flat));
      const T i_CaL = p[g_CaL] * y[d] * y[f] * y[f2] * y[fcass] *
                      T(2. * faraday * 1000.) * quotient *
                      (T(0.25) * e_x * y[CaSS] - p[Ca_o]);

      const T forth = exp(T(0.35) * v * F_RT), back = exp(T(-0.65) * v * F_RT);
      constexpr double K_mNa = 87.5, K_mCa = 1.38;
      const T Na_o3  = p[Na_o] * p[Na_o] * p[Na_o];
      const T i_NaCa = p[k_NaCa] *
                       (forth * y[Na] * y[Na] * y[Na] * p[Ca_o] -
                        back * Na_o3 * y[Ca] * T(2.5)) /
                       ((T(K_mNa * K_mNa * K_mNa) + Na_o3) *
                        (T(K_mCa) + p[Ca_o]) * (one + T(0.1) * back));
      const T i_NaK = p[P_NaK] * p[K_o] * y[Na] /
                      ((p[K_o] + one) * (y[Na] + T(40.)) *
                       (one + T(0.1245) * exp(T(-0.1) * v * F_RT) +
                        T(0.0353) * exp(-v * F_RT)));
      const T i_pCa = p[g_pCa] * y[Ca] / (T(0.0005) + y[Ca]);
      const T i_pK  = p[g_pK] * (v - E_K) * step_down(v, T(25.), -5.98);
      const T i_bNa = p[g_bNa] * (v - E_Na);
      const T i_bCa = p[g_bCa] * (v - E_Ca);

      const T sodium      = i_Na + i_bNa + T(3.) * (i_NaK + i_NaCa);
      const T potassium   = i_K1 + i_to + i_Kr + i_Ks + i_pK - T(2.) * i_NaK;
      const T calcium     = i_bCa + i_pCa - T(2.) * i_NaCa;
      rates.derivative[V] = stimulus - (sodium + potassium + calcium + i_CaL);

      // A current I changes a concentration by I times this factor, 1 / (V F).
      constexpr double per_current = capacitance / (cell * faraday) * 1e-3;
      rates.derivative[Na]         = T(-per_current) * sodium;
      rates.derivative[K]          = T(-per_current) * (potassium - stimulus);

      const T leak = p[V_leak] * (y[CaSR] - y[Ca]);
      const T up =
        p[V_up] * square(y[Ca]) / (square(y[Ca]) + T(0.00025 * 0.00025));
      const T filled  = square(y[CaSR]);
      const T k_store = T(2.5) - T(1.5) * filled / (filled + T(1.5 * 1.5));
      const T opened  = T(0.15) / k_store * square(y[CaSS]);
      const T open    = opened * y[R] / (T(0.06) + opened);
      const T release = p[V_rel] * open * (y[CaSR] - y[CaSS]);
      const T across  = T(0.0038) * (y[CaSS] - y[Ca]);
      rates.derivative[R] =
        T(-0.045) * k_store * y[CaSS] * y[R] + T(0.005) * (one - y[R]);
      const auto free = [&](const T c, const double total, const double half) {
        return one / (one + T(total * half) / square(c + T(half)));
      };
      rates.derivative[Ca] =
        free(y[Ca], 0.2, 0.001) *
        ((leak - up) * T(store / cell) + across - T(per_current / 2) * calcium);
      rates.derivative[CaSR] = free(y[CaSR], 10., 0.3) * (up - release - leak);
      rates.derivative[CaSS] =
        free(y[CaSS], 0.4, 0.00025) *
        (T(-per_current / 2 * cell / cleft) * i_CaL +
         release * T(store / cleft) - across * T(cell / cleft));
    }
  };
} // namespace tessera
