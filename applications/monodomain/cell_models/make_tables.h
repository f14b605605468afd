#pragma once

#include "cell_model.h"
#include "cell_rates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tessera
{
  /// Sets all functions of an axis, [n_functions], in a step of length dt.
  template <class Model, int axis>
  void
  sample(const CellModel &model, const double (&p)[Model::n_parameters],
         const double x, const double dt, double *values)
  {
    Model::template functions<axis>(x, p, values);
    if (axis > 0)
      return;
    double y[Model::n_states];
    for (int k = 0; k < Model::n_states; ++k)
      y[k] = model.states[k].value;
    y[0] = x;
    CellRates<double, Model::n_states> rates;
    Model::rates(y, p, 0., rates);
    for (int i = 1; i <= Model::n_tabulated; ++i)
      {
        values[2 * i - 2] = rates.limit[i];
        values[2 * i - 1] = std::exp(-dt * rates.rate[i]);
      }
  }

  /// Makes the part of a table for an axis, and raises `error` to the largest
  /// one of its functions (Membrane::table_error).
  template <class Model, int axis>
  void
  make_axis(const CellModel &model, const double (&p)[Model::n_parameters],
            const double dt, TableEntry *const entries, double &error)
  {
    constexpr TableAxis of = Model::axes[axis];
    constexpr int n = of.n_functions, n_intervals = of.n_intervals,
                  n_gates = axis == 0 ? 2 * Model::n_tabulated : 0;
    // At both ends an interval has no jump.
    const double point = std::sqrt(0.75), ends = 1 - 1e-9;
    std::vector<double> starts(std::size_t(n_intervals) * n),
      off(starts.size());
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n_intervals; ++k)
      {
        const auto at = [&](const double u) {
          std::vector<double> values(n);
          sample<Model, axis>(model, p,
                              of.first + (k + 0.5 + 0.5 * u) / of.per_unit, dt,
                              values.data());
          return values;
        };
        const auto left = at(-point), middle = at(0), right = at(point),
                   start = at(-ends), end = at(ends);
        for (int f = 0; f < n; ++f)
          {
            const double even =
              (left[f] + right[f] - 2 * middle[f]) / (2 * 0.75);
            const double odd    = (right[f] - left[f]) / (2 * point);
            const std::size_t i = std::size_t(k) * n + f;
            entries[i]          = {middle[f], odd, even};
            starts[i]           = start[f];
            off[i] = std::max(std::abs(middle[f] - odd + even - start[f]),
                              std::abs(middle[f] + odd + even - end[f]));
            if (!std::isfinite(start[f] + end[f] + even))
              off[i] = std::numeric_limits<double>::infinity();
          }
      }
    // A limit is compared with 1. Other functions are compared with their value
    // and their change in a hundredth of the axis, decays as 1 - exp(-dt rate).
    const int near = std::max(1, n_intervals / 100);
    for (int f = 0; f < n; ++f)
      {
        const bool is_limit = f < n_gates && f % 2 == 0;
        const double base   = f < n_gates ? 1 : 0;
        const auto start    = [&](const int k) {
          return starts[std::size_t(std::clamp(k, 0, n_intervals - 1)) * n + f];
        };
        double largest = 0;
        for (int k = 0; k < n_intervals; ++k)
          largest = std::max(largest, std::abs(base - start(k)));
        for (int k = 0; k < n_intervals; ++k)
          {
            const double here = start(k);
            const double scale =
              is_limit
                ? 1
                : std::abs(base - here) + std::abs(start(k + near) - here) +
                    std::abs(here - start(k - near)) + 1e-12 * largest;
            const double part = off[std::size_t(k) * n + f];
            if (!std::isfinite(part))
              error = part;
            else if (part > error * scale) // scale is 0 for a function 0
              error = part / scale;
          }
      }
  }

  template <class Model, int axis>
  void
  make_axes(const CellModel &model, const double (&p)[Model::n_parameters],
            const double dt, TableEntry *const table, double &error)
  {
    if constexpr (axis < Model::n_axes)
      {
        make_axis<Model, axis>(model, p, dt,
                               table + TableLayout<Model>::first(axis), error);
        make_axes<Model, axis + 1>(model, p, dt, table, error);
      }
  }

  /// Makes a table for one list of parameters.
  template <class Model, class Number>
  void
  make_table(const CellModel &model, const Number *parameters, const double dt,
             TableEntry *const table, double &error)
  {
    double p[Model::n_parameters], constants[Model::n_constants + 1];
    std::copy_n(parameters, Model::n_parameters, p);
    Model::constants(p, constants);
    for (int k = 0; k < Model::n_constants; ++k)
      {
        table[k] = {constants[k], 0, 0};
        if (!std::isfinite(constants[k]))
          error = std::numeric_limits<double>::infinity();
      }
    make_axes<Model, 0>(model, p, dt, table, error);
  }

  /// Returns the number of a gate whose limits in a table, in the middle of
  /// intervals, are not all in [0, 1], or 0.
  template <class Model>
  int
  gate_beyond_unit(const TableEntry *const table)
  {
    constexpr TableAxis of  = Model::axes[0];
    const TableEntry *entry = table + TableLayout<Model>::first(0);
    for (int k = 0; k < of.n_intervals; ++k, entry += of.n_functions)
      for (int i = 1; i <= Model::n_tabulated; ++i)
        if (!(entry[2 * i - 2].value >= 0 && entry[2 * i - 2].value <= 1))
          return i;
    return 0;
  }
} // namespace tessera
