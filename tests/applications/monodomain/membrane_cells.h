#pragma once

#include "cell_models/membrane.h"

#include "problems.h"
#include "test.h"

namespace tessera::test
{
  /// Random states around the initial ones, [n_states][n].
  inline std::vector<double>
  random_states(const CellModel &model, const int n)
  {
    std::vector<double> states = random_values<double>(
      model.states.size() * static_cast<std::size_t>(n), 7);
    for (int i = 0; i < n; ++i)
      states[i] = model.name == "fitzhugh_nagumo" ? 0.5 + 0.6 * states[i]
                                                  : -20. + 65. * states[i];
    for (std::size_t k = 1; k < model.states.size(); ++k)
      for (int i = 0; i < n; ++i)
        {
          double &y = states[k * n + i];
          y = model.states[k].value * (1 + 0.3 * y) + (k > 12 ? 0 : 1e-3);
        }
    return states;
  }

  inline Vector<double>
  potential_of(const std::vector<double> &values, const Backend backend,
               const int n)
  {
    constexpr int n_tail = 3;
    Vector<double> potential(backend, n, n_tail);
    std::vector<double> entries(values.begin(), values.begin() + n);
    entries.resize(n + n_tail, 5.);
    potential.copy_from(entries);
    return potential;
  }
} // namespace tessera::test
