#pragma once

#include "cell_model.h"
#include "cell_rates.h"

namespace tessera
{
  /// The model of Aliev and Panfilov (AlievPanfilov1996) in the form of
  /// WongKuhlDarve2015, equations 4 and 5: with u = (V + 80 mV) / 100 mV and
  /// s = t / 12.9 ms,
  ///   du/ds = c u (u - alpha) (1 - u) - r u,
  ///   dr/ds = (gamma + mu_1 r / (mu_2 + u)) (-r - c u (u - b - 1)).
  /// Default parameters come from GoektepeKuhl2010.
  struct AlievPanfilov
  {
    static constexpr int n_states = 2, n_gates = 0, n_parameters = 6,
                         n_tabulated       = 0;
    static constexpr const char *time_unit = "ms";
    static constexpr double activation     = -30;
    static constexpr double repolarisation = -70;

    static std::vector<CellQuantity>
    states()
    {
      return {{"V", "mV", -80.}, {"r", "1", 0.}};
    }

    static std::vector<CellQuantity>
    parameters()
    {
      return {{"alpha", "1", 0.01}, {"b", "1", 0.15},   {"c", "1", 8.},
              {"gamma", "1", 2e-3}, {"mu_1", "1", 0.2}, {"mu_2", "1", 0.3}};
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
      const P alpha = p[0], b = p[1], c = p[2], gamma = p[3], mu_1 = p[4],
              mu_2 = p[5];
      const P one(1.), unit_of_time(12.9), unit_of_potential(100.);
      const T u = (y[0] + P(80.)) / unit_of_potential, r = y[1];
      const T du = c * u * (u - alpha) * (one - u) - r * u;
      const T dr =
        (gamma + mu_1 * r / (mu_2 + u)) * (-r - c * u * (u - b - one));
      rates.derivative[0] = unit_of_potential * du / unit_of_time + stimulus;
      rates.derivative[1] = dr / unit_of_time;
    }
  };
} // namespace tessera
