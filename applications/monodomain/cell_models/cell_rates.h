#pragma once

#include "rate_tables.h"
#include "simd_math.h"

#include <cmath>

namespace tessera
{
  /// How the states y of a cell model change. States 1 to n_gates are gates,
  ///   dy/dt = rate (limit - y),
  /// and the others, among them the potential, have dy/dt = derivative.
  ///
  /// A model is a class, which scripts/cell_model makes from a text, with
  ///
  ///     static constexpr int n_states, n_gates, n_parameters;
  ///     static constexpr int n_tabulated; // gates 1 to n_tabulated have
  ///                  // limits and rates of the potential and p alone
  ///     static constexpr int n_constants, n_axes;
  ///     static constexpr TableAxis axes[];  // the potential is the first one
  ///     static std::vector<CellQuantity> states(), parameters();
  ///     static std::vector<CellVariant> variants();
  ///     static constexpr const char *time_unit;
  ///     static constexpr double activation, repolarisation;
  ///     template <class T, class P>
  ///     static void
  ///     rates(const T (&y)[n_states], const P (&p)[n_parameters], P stimulus,
  ///           CellRates<T, n_states> &);
  ///     template <class P>
  ///     static void
  ///     constants(const P (&p)[n_parameters], P *constants);
  ///     template <int axis, class T>
  ///     static void // parts of currents; gates have `rates`
  ///     functions(T x, const T (&p)[n_parameters], T *functions);
  ///     template <class T, class Tables>
  ///     static void // leaves out gates 1 to n_tabulated
  ///     rates_by_tables(const T (&y)[n_states], const Tables &, T stimulus,
  ///                     CellRates<T, n_states> &);
  ///
  /// The last three make and use tables (TableLayout): what depends on
  /// parameters alone is a constant, and what depends on parameters and one
  /// axis is a function on it. `rates` is TESSERA_HOST_DEVICE. T is a number on
  /// the device, and on the host a SIMD type with a cell in each lane.
  /// `stimulus` is what is added to the derivative of the potential, in its
  /// unit per unit of time; `rates` adds it. What is constant has a type P of
  /// its own, since T has derivatives in the implicit scheme (implicit_cell.h).
  template <class T, int n_states>
  struct CellRates
  {
    T derivative[n_states];
    T limit[n_states];
    T rate[n_states];
  };

  /// Advances the states by a step of length dt with the rates at `at`: by the
  /// method of Rush and Larsen (RushLarsen1978) where they are gates, whose
  /// equations are solved exactly for constant coefficients, and by explicit
  /// Euler where they are not. With `tabulated`, limits and decays of the first
  /// gates, constants and functions of one variable come from the table, and p
  /// is not used. T and P are the types of Model::rates.
  template <class Model, bool tabulated, class T, class P>
  TESSERA_HOST_DEVICE void
  advance_states(const T (&from)[Model::n_states],
                 const T (&at)[Model::n_states],
                 const P (&p)[Model::n_parameters], const P stimulus,
                 const P dt, const TableAt<P> &table, T (&to)[Model::n_states])
  {
    using std::exp;
    CellRates<T, Model::n_states> r;
    if constexpr (tabulated && Model::n_tabulated > 0)
      {
        Model::rates_by_tables(at, table, stimulus, r);
        const auto row = table.template row<Model, 0>(at[0]);
        TESSERA_UNROLL_BY(64)
        for (int i = 1; i <= Model::n_tabulated; ++i)
          {
            const T limit = row(2 * i - 2);
            to[i]         = limit + (from[i] - limit) * row(2 * i - 1);
          }
      }
    else
      Model::rates(at, p, stimulus, r);
    TESSERA_UNROLL_BY(64)
    for (int i = 0; i < Model::n_states; ++i)
      if (tabulated && i >= 1 && i <= Model::n_tabulated)
        continue;
      else if (i >= 1 && i <= Model::n_gates)
        to[i] = r.limit[i] + (from[i] - r.limit[i]) * exp(-dt * r.rate[i]);
      else
        to[i] = from[i] + dt * r.derivative[i];
  }

  /// Advances the states of a cell by `n_steps` steps of length dt. A step of
  /// order 2 takes the rates in its middle, which a step of half the length
  /// finds (the second method of PeregoVeneziani2009). `tables` are used if
  /// `tabulated`.
  template <class Model, bool tabulated = false, class T>
  TESSERA_HOST_DEVICE void
  advance_cell(T (&y)[Model::n_states], const T (&p)[Model::n_parameters],
               const T stimulus, const T dt, const int n_steps, const int order,
               const CellTables<T> &tables = {})
  {
    TESSERA_ROLLED
    for (int step = 0; step < n_steps; ++step)
      {
        T next[Model::n_states];
        if (order == 2)
          {
            T middle[Model::n_states];
            advance_states<Model, tabulated>(y, y, p, stimulus, dt * T(0.5),
                                             tables.half, middle);
            advance_states<Model, tabulated>(y, middle, p, stimulus, dt,
                                             tables.whole, next);
          }
        else
          advance_states<Model, tabulated>(y, y, p, stimulus, dt, tables.whole,
                                           next);
        TESSERA_UNROLL_BY(64)
        for (int i = 0; i < Model::n_states; ++i)
          y[i] = next[i];
      }
  }
} // namespace tessera
