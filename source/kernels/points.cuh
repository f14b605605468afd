#pragma once

#include <tessera/assembly/form_kernels.h>
#include <tessera/forms/form.h>
#include <tessera/space/geometry.h>
#include <tessera/space/reference_element.h>

#include "coefficients.cuh"
#include "launches.h"

namespace tessera
{
  /// The value of node i at point q of the reference cell.
  template <class E, class Number>
  TESSERA_HOST_DEVICE Number
  reference_value(const ReferenceElement<E, Number> &element, const int i,
                  const int q)
  {
    if constexpr (E::simplex)
      return element.values[i][q];
    else
      {
        constexpr int n = E::n1;
        Number value    = Number(1);
        TESSERA_UNROLL
        for (int a = 0, stride = 1; a < E::dim; ++a, stride *= n)
          value *= element.values[i / stride % n][q / stride % n];
        return value;
      }
  }

  /// The gradient of node i at point q of the reference cell.
  template <class E, class Number>
  TESSERA_HOST_DEVICE void
  reference_gradient(const ReferenceElement<E, Number> &element, const int i,
                     const int q, Number (&gradient)[E::dim])
  {
    constexpr int n = E::n1, dim = E::dim;
    TESSERA_UNROLL
    for (int d = 0; d < dim; ++d)
      if constexpr (E::simplex)
        gradient[d] = element.gradients[i][q][d];
      else
        {
          gradient[d] = Number(1);
          TESSERA_UNROLL
          for (int a = 0, stride = 1; a < dim; ++a, stride *= n)
            gradient[d] *= a == d
                             ? element.gradients[i / stride % n][q / stride % n]
                             : element.values[i / stride % n][q / stride % n];
        }
  }

  /// Sets `trial` to the function with component `component` alone, whose value
  /// and gradient are given.
  template <class F, class Number>
  TESSERA_HOST_DEVICE void
  set_component(const int component, const Number value,
                const Number (&gradient)[F::dim],
                PointValues<F::n_components, F::dim, Number> &trial)
  {
    TESSERA_UNROLL
    for (int c = 0; c < F::n_components; ++c)
      {
        const bool is_it = F::n_components == 1 || c == component;
        if constexpr (F::uses_values)
          trial.value[c] = is_it ? value : Number(0);
        if constexpr (F::uses_gradients)
          {
            TESSERA_UNROLL
            for (int d = 0; d < F::dim; ++d)
              trial.gradient[c][d] = is_it ? gradient[d] : Number(0);
          }
      }
  }

  /// Entry i of a cell matrix, with i = c n + k for component c of node k, at
  /// point q.
  template <class F, class E, class Number>
  TESSERA_HOST_DEVICE void
  shape_function(const ReferenceElement<E, Number> &element, const int i,
                 const int q,
                 PointValues<F::n_components, F::dim, Number> &trial)
  {
    const int node = F::n_components == 1 ? i : i % E::n;
    Number value   = Number(0), gradient[E::dim];
    if constexpr (F::uses_values)
      value = reference_value(element, node, q);
    if constexpr (F::uses_gradients)
      reference_gradient(element, node, q, gradient);
    set_component<F>(F::n_components == 1 ? 0 : i / E::n, value, gradient,
                     trial);
  }

  /// test . trial at a point, for the parts that the form uses.
  template <class F, class T, class U>
  TESSERA_HOST_DEVICE T
  point_product(const PointValues<F::n_components, F::dim, T> &test,
                const PointValues<F::n_components, F::dim, U> &trial,
                const int component)
  {
    T sum;
    if constexpr (F::uses_gradients)
      {
        sum = trial.gradient[component][0] * test.gradient[component][0];
        TESSERA_UNROLL
        for (int d = 1; d < F::dim; ++d)
          sum += trial.gradient[component][d] * test.gradient[component][d];
        if constexpr (F::uses_values)
          sum += trial.value[component] * test.value[component];
      }
    else
      sum = trial.value[component] * test.value[component];
    return sum;
  }

  /// Reads the state of point q of a cell, if the form has one.
  template <class E, class F, class Cells, class Number>
  TESSERA_HOST_DEVICE void
  read_state(const Cells &cell, const FieldsView<Number> &view, const int q,
             Fields<F, typename Cells::Value> &fields)
  {
    // `load` cannot be used, since it promises that nobody writes meanwhile.
    if constexpr (F::n_state > 0)
      {
        TESSERA_UNROLL
        for (int s = 0; s < F::n_state; ++s)
          fields.state[s] = cell.load_written(
            view.state, E::n_points * F::n_state, q * F::n_state + s);
      }
  }

  /// Sums up the function with values u[c n + i] of component c at node i, at
  /// point q.
  template <class F, int unroll, class E, class T, class Number, class Values>
  TESSERA_HOST_DEVICE void
  function_at_point(const ReferenceElement<E, Number> &element, const Values &u,
                    const int q, PointValues<F::n_components, F::dim, T> &at)
  {
    TESSERA_UNROLL
    for (int c = 0; c < F::n_components; ++c)
      {
        at.value[c] = T(Number(0));
        TESSERA_UNROLL
        for (int d = 0; d < F::dim; ++d)
          at.gradient[c][d] = T(Number(0));
      }
    TESSERA_UNROLL_BY(unroll)
    for (int i = 0; i < E::n; ++i)
      {
        const Number value = reference_value(element, i, q);
        Number gradient[F::dim];
        reference_gradient(element, i, q, gradient);
        TESSERA_UNROLL
        for (int c = 0; c < F::n_components; ++c)
          {
            at.value[c] += value * u[c * E::n + i];
            TESSERA_UNROLL
            for (int d = 0; d < F::dim; ++d)
              at.gradient[c][d] += gradient[d] * u[c * E::n + i];
          }
      }
  }

  /// The fields of a form at the points of a cell (or of a batch of cells), for
  /// assembly: the solution is summed up node by node.
  template <class F, class E, class Cells, class Number>
  struct CellFields
  {
    using T = typename Cells::Value;

    static constexpr int n_nodes =
      F::reads_solution ? F::n_components * E::n : 1;

    const Cells &cell;
    const FieldsView<Number> &view;
    const ReferenceElement<E, Number> &element;
    T nodes[n_nodes];

    TESSERA_HOST_DEVICE
    CellFields(const Cells &cell, const CellView<Number> &cells,
               const FieldsView<Number> &view,
               const ReferenceElement<E, Number> &element)
      : cell(cell), view(view), element(element)
    {
      if constexpr (F::reads_solution)
        {
          TESSERA_ROLLED
          for (int i = 0; i < n_nodes; ++i)
            nodes[i] = cell.template value_at_node<E::n, F::n_components>(
              cells, view.solution, i % E::n, i / E::n);
        }
    }

    TESSERA_HOST_DEVICE void
    operator()(const int q, Fields<F, T> &fields) const
    {
      read_coefficient<F>(cell, view.coefficient, q, fields.coefficient);
      read_state<E>(cell, view, q, fields);
      if constexpr (F::reads_solution)
        function_at_point<F, 1>(element, nodes, q, fields.solution);
    }
  };

  /// The Jacobian and the weight at point q of a cell.
  template <class E, class T, class Number, class CellGeometry>
  TESSERA_HOST_DEVICE Number
  jacobian_and_weight(const ReferenceElement<E, Number> &element,
                      const CellGeometry &geometry, const int q,
                      T (&j)[E::dim][E::dim])
  {
    constexpr int n = E::n1;
    if constexpr (E::simplex)
      {
        geometry.jacobian(element, q, j);
        return element.weights[q];
      }
    else if constexpr (E::dim == 2)
      {
        geometry.jacobian(element, q % n, q / n, j);
        return element.weights[q % n] * element.weights[q / n];
      }
    else
      {
        geometry.jacobian(element, q % n, q / n % n, q / n / n, j);
        return element.weights[q % n] * element.weights[q / n % n] *
               element.weights[q / n / n];
      }
  }

  /// The numbers of the form at the quadrature points of a cell. They are
  /// computed once and kept (`keeps_points`), or computed where they are asked
  /// for, which is once a row (`repeats_points`) or once in all
  /// (`by_points`).
  /// If `scratch_stride` > 0, the last number stands in
  /// `last[q scratch_stride]`, for elements whose values do not fit the
  /// registers of a thread.
  template <Strategy strategy, class F, class E, int scratch_stride, class T,
            class Number, class CellGeometry, class FieldsAt>
  struct Points
  {
    static constexpr int size     = F::n_point;
    static constexpr bool keep    = strategy == Strategy::keeps_points;
    static constexpr bool scratch = keep && scratch_stride > 0;
    static constexpr int in_place = scratch ? size - 1 : size;

    const ReferenceElement<E, Number> &element;
    const CellGeometry &geometry;
    const FieldsAt &fields_at;
    T *last;
    T kept[keep ? E::n_points : 1][in_place > 0 ? in_place : 1];

    TESSERA_HOST_DEVICE
    Points(const ReferenceElement<E, Number> &element,
           const CellGeometry &geometry, const FieldsAt &fields_at, T *last)
      : element(element), geometry(geometry), fields_at(fields_at), last(last)
    {
      if constexpr (keep)
        {
          TESSERA_UNROLL_BY(E::n_points)
          for (int q = 0; q < E::n_points; ++q)
            {
              T point[size];
              compute(q, point);
              TESSERA_UNROLL
              for (int c = 0; c < in_place; ++c)
                kept[q][c] = point[c];
              if constexpr (scratch)
                last[q * scratch_stride] = point[size - 1];
            }
        }
    }

    /// `zero` is 0 and hides from the compiler that scratch is read again.
    TESSERA_HOST_DEVICE void
    at(const int q, const int zero, T (&point)[size]) const
    {
      if constexpr (keep)
        {
          TESSERA_UNROLL
          for (int c = 0; c < in_place; ++c)
            point[c] = kept[q][c];
          if constexpr (scratch)
            point[size - 1] = last[q * scratch_stride + zero];
        }
      else
        compute(q, point);
    }

  private:
    TESSERA_HOST_DEVICE void
    compute(const int q, T (&point)[size]) const
    {
      T j[E::dim][E::dim];
      Fields<F, T> fields;
      const Number weight = jacobian_and_weight(element, geometry, q, j);
      fields_at(q, fields);
      F::linearize(j, weight, fields, point);
    }
  };
} // namespace tessera
