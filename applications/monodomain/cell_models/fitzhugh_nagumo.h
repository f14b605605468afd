#pragma once

#include "cell_model.h"
#include "cell_rates.h"

namespace tessera
{
  /// The model of FitzHugh and Nagumo (FitzHugh1961) with the excitable
  /// potential between 0 and 1, as RogersMcCulloch1994 scale it:
  ///   dv/dt = k v (v - alpha) (1 - v) - c r,
  ///   dr/dt = epsilon (v - beta r).
  /// Without recovery (c = 0) and alpha < 1/2, diffusion D lets a front travel
  /// with the speed sqrt(D k / 2) (1 - 2 alpha).
  struct FitzHughNagumo
  {
    static constexpr int n_states = 2, n_gates = 0, n_parameters = 5,
                         n_tabulated       = 0;
    static constexpr const char *time_unit = "1";
    static constexpr double activation     = 0.5;
    static constexpr double repolarisation = 0.1;

    static std::vector<CellQuantity>
    states()
    {
      return {{"v", "1", 0.}, {"r", "1", 0.}};
    }

    static std::vector<CellQuantity>
    parameters()
    {
      return {{"k", "1", 8.},
              {"alpha", "1", 0.1},
              {"c", "1", 8.},
              {"epsilon", "1", 0.02},
              {"beta", "1", 0.5}};
    }

    static std::vector<CellVariant>
    variants()
    {
      return {};
    }

    template <class T, class P>
    TESSERA_HOST_DEVICE static void
    rates(const T (&y)[n_states], const P (&p)[n_parameters], const P stimulus,
          CellRates<T, n_states> &rates)
    {
      const P k = p[0], alpha = p[1], c = p[2], epsilon = p[3], beta = p[4];
      const T v = y[0], r = y[1];
      rates.derivative[0] =
        k * v * (v - alpha) * (P(1.) - v) - c * r + stimulus;
      rates.derivative[1] = epsilon * (v - beta * r);
    }
  };
} // namespace tessera
