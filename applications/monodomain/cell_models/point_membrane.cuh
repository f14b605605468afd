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

  /// What a point has of the nodes of its cell.
  template <class T>
  struct AtPoint
  {
    T potential, former, earlier, stimulus;
  };

  /// Computes and stores what PointMembrane::linearize says of a point, or of
  /// the points of several lanes. `load` returns and `store` overwrites the
  /// value of the point in an array of all points.
  template <class Model, class T, class Number, class Load, class Store,
            class StoreReaction>
  TESSERA_HOST_DEVICE void
  linearize_point(const PointMembraneView<Number> &view, const AtPoint<T> &at,
                  const T (&p)[Model::n_parameters], const Load &load,
                  const Store &store, const StoreReaction &store_reaction)
  {
    constexpr int n           = Model::n_states;
    const std::int64_t stride = view.n_all_points();
    const T tau(view.tau);
    PointRates<T, n> point;
    if constexpr (has_one_recovery<Model>)
      {
        T r = T(view.factor_former) * load(view.r_former);
        if (view.r_earlier != nullptr)
          r += T(view.factor_earlier) * load(view.r_earlier);
        point = solve_recovery<Model>(at.potential, r, load(view.r_guess), p,
                                      at.stimulus, tau);
      }
    else
      {
        T states[n] = {at.potential};
        TESSERA_UNROLL_BY(64)
        for (int k = 1; k < n; ++k)
          states[k] = load(view.r_former + (k - 1) * stride);
        point = follow_potential<Model>(at.potential, at.former, states, p,
                                        at.stimulus, T(view.step), view.order);
      }
    TESSERA_UNROLL_BY(64)
    for (int k = 1; k < n; ++k)
      store(view.r_after + (k - 1) * stride, point.state[k]);
    const T history =
      T(view.factor_former) * at.former + T(view.factor_earlier) * at.earlier;
    store(view.source, history / tau + point.rate - point.slope * at.potential);
    store_reaction(T(1.) / tau - point.slope);
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
      const std::int64_t lanes = view.lanes, lane = i % lanes;
      const std::int64_t batch = i / lanes / view.n_points;
      const int q              = static_cast<int>(i / lanes % view.n_points);
      AtPoint<Number> at       = {};
      for (int k = 0; k < view.n_nodes; ++k)
        {
          const Number shape = read_only(view.shapes + q * view.n_nodes + k);
          const int dof =
            read_only(view.dofs + (batch * view.n_nodes + k) * lanes + lane);
          at.potential += shape * view.potential[dof];
          at.former += shape * view.former[dof];
          if (view.earlier != nullptr)
            at.earlier += shape * view.earlier[dof];
          if (view.stimulus != nullptr && dof < view.n_stimulated)
            at.stimulus += shape * view.stimulus[dof];
        }
      Number p[Model::n_parameters];
      const Number *const parameters =
        view.parameters +
        view.regions[batch * lanes + lane] * Model::n_parameters;
      TESSERA_UNROLL_BY(64)
      for (int k = 0; k < Model::n_parameters; ++k)
        p[k] = read_only(parameters + k);
      linearize_point<Model>(
        view, at, p, [i](const Number *const from) { return from[i]; },
        [i](Number *const to, const Number value) { to[i] = value; },
        [&](const Number c) { set_reaction(view.coefficients, i, c); });
    }
  };
} // namespace tessera
