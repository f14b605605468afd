#pragma once

#include "projections.cuh"
#include "quantities.cuh"

namespace tessera
{
  /// Stores number s of the state of the points of a cell.
  template <class F, class E, class Cell, class Number, class T>
  TESSERA_HOST_DEVICE void
  store_state(const Cell &cell, const FieldsView<Number> &fields, const int q,
              const int s, const T value)
  {
    cell.store(fields.state, E::n_points * F::n_state, q * F::n_state + s,
               value);
  }

  /// Evaluates a form with one thread (or lane) on a cell whose nodes have the
  /// values u, and tests the result: r_i for every component of every node, or
  /// new states. `coefficient_at(q, k)` sets the coefficient of a point.
  template <class F, Quantity quantity, class E, bool stored, class Cell,
            class Tables, class Number, class CoefficientAt, class Values,
            class T>
  TESSERA_HOST_DEVICE void
  form_on_cell(const Cell &cell, const CellView<Number> &cells,
               const FieldsView<Number> &view, const Tables &element,
               const CoefficientAt &coefficient_at, Values &u,
               T (&r)[F::n_components * E::n])
  {
    using Work = PointWork<F, quantity>;
    with_geometry<E, stored>(cell, cells, [&](const auto &geometry) {
      if constexpr (has_few_points<E>)
        {
          T j[E::dim][E::dim], point[F::n_point];
          Fields<F, T> fields;
          geometry.jacobian(element, 0, j);
          coefficient_at(0, fields.coefficient);
          F::linearize(j, element.weights[0], fields, point);
          evaluate_cell<typename Work::Uses, E>(
            element, u, r,
            [&](int, const auto &in, auto &out) { F::apply(point, in, out); });
        }
      else
        {
          const auto fields_in_memory = [&](const int q, Fields<F, T> &fields) {
            coefficient_at(q, fields.coefficient);
            read_state<E>(cell, view, q, fields);
          };
          const CellProjection<F, E, T> projection(
            element, geometry, fields_in_memory, u, cell, view);
          evaluate_cell<typename Work::Uses, E>(
            element, u, r,
            points_of_cell<F, E, Work>(
              element, geometry,
              [&](const int q, Fields<F, T> &fields) {
                fields_in_memory(q, fields);
                projection.read(element, q, fields);
              },
              [&](const int q, const int s, const T value) {
                store_state<F, E>(cell, view, q, s, value);
              }));
        }
    });
  }
} // namespace tessera
