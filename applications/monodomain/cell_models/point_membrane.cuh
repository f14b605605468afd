#pragma once

#include "all_models.h"
#include "implicit_cell.h"
#include <tessera/base/for_each.h>

#include "point_membrane_kernels.h"

namespace tessera
{
  /// Writes the coefficients of point i, an index of
  /// [n_batches][n_points][lanes], with a new c.
  template <class Number>
  TESSERA_HOST_DEVICE void
  set_reaction(const PointCoefficients<Number> &to, const std::int64_t i,
               const Number c)
  {
    const std::int64_t lanes = to.lanes;
    const std::int64_t first = i / lanes * to.n * lanes + i % lanes;
    const std::int64_t last  = first + (to.n - 1) * lanes;
    to.values[last]          = c;
    if (to.spread != nullptr)
      for (std::int64_t k = first; k < last; k += lanes)
        to.values[k] =
          read_only(to.diffusion + k) - c * read_only(to.spread + k);
  }

  /// Sets c of point i.
  template <class Number>
  struct SetReaction
  {
    PointCoefficients<Number> coefficients;
    Number value;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      set_reaction(coefficients, i, value);
    }
  };

  /// The numbers r, c and s that are stored for a point.
  template <class T>
  struct LinearizedPoint
  {
    T recovery, coefficient, source;
  };

  template <class Model, class T>
  TESSERA_HOST_DEVICE LinearizedPoint<T>
  linearize_point(const T potential, const T history, const T stimulus,
                  const T r_history, const T guess,
                  const T (&p)[Model::n_parameters], const T tau)
  {
    const PointRates<T> point =
      solve_recovery<Model>(potential, r_history, guess, p, stimulus, tau);
    return {point.recovery, T(1.) / tau - point.slope,
            history / tau + point.rate - point.slope * potential};
  }

  /// Solves for point i on the device, where a thread has a point. The nodes of
  /// a cell are read by all of its points, which the caches serve.
  template <class Model, class Number>
  struct LinearizePoint
  {
    using CellModel = Model;
    PointMembraneView<Number> view;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      if constexpr (has_one_recovery<Model>)
        linearize(i);
    }

  private:
    TESSERA_HOST_DEVICE void
    linearize(const std::int64_t i) const
    {
      const std::int64_t lanes = view.lanes, lane = i % lanes;
      const std::int64_t batch = i / lanes / view.n_points;
      const int q              = static_cast<int>(i / lanes % view.n_points);
      Number potential(0), history(0), stimulus(0);
      for (int k = 0; k < view.n_nodes; ++k)
        {
          const Number shape = read_only(view.shapes + q * view.n_nodes + k);
          const int dof =
            read_only(view.dofs + (batch * view.n_nodes + k) * lanes + lane);
          potential += shape * view.potential[dof];
          history += shape * view.history[dof];
          if (view.stimulus != nullptr && dof < view.n_stimulated)
            stimulus += shape * view.stimulus[dof];
        }
      Number p[Model::n_parameters];
      const Number *const parameters =
        view.parameters +
        view.regions[batch * lanes + lane] * Model::n_parameters;
      TESSERA_UNROLL
      for (int k = 0; k < Model::n_parameters; ++k)
        p[k] = read_only(parameters + k);
      Number r_history = view.factor_before * view.before[i];
      if (view.earlier != nullptr)
        r_history += view.factor_earlier * view.earlier[i];
      const auto point = linearize_point<Model>(
        potential, history, stimulus, r_history, view.guess[i], p, view.tau);
      view.after[i]  = point.recovery;
      view.source[i] = point.source;
      set_reaction(view.coefficients, i, point.coefficient);
    }
  };
} // namespace tessera
