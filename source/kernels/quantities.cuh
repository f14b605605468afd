#pragma once

#include <tessera/space/cell_apply.h>
#include <tessera/space/cell_values.h>

#include "evaluator.cuh"
#include "points.cuh"

namespace tessera
{
  /// Calls `f` with the quantity, one of the form's, as a constant.
  template <class F, class Run>
  TESSERA_HOST void
  on_quantity(const Quantity quantity, const Run &run)
  {
    if constexpr (F::reads_solution)
      if (quantity == Quantity::residual)
        return run(std::integral_constant<Quantity, Quantity::residual>());
    if constexpr (F::n_state > 0)
      if (quantity == Quantity::state)
        return run(std::integral_constant<Quantity, Quantity::state>());
    run(std::integral_constant<Quantity, Quantity::product>());
  }

  /// What happens at a quadrature point for one of the quantities that a form
  /// gives (assembly/form_kernels.h).
  template <class F, Quantity quantity>
  struct PointWork
  {
    static_assert(!F::is_flux || (F::uses_gradients && !F::uses_values &&
                                  !F::reads_solution && F::n_state == 0 &&
                                  F::n_components == 1 && F::symmetric),
                  "a FluxForm is its flux and nothing else");
    static_assert(F::n_coefficients >= 1 &&
                    F::n_coefficients <=
                      CoefficientView<double>::max_components,
                  "a form has 1 to 9 coefficients");

    /// Functions that are evaluated: the one that the form is applied to and,
    /// behind it, the current solution, or the solution alone.
    static constexpr bool applies = quantity == Quantity::product;
    static constexpr int n_in =
      applies && F::reads_solution ? 2 * F::n_components : F::n_components;
    static constexpr bool all = F::reads_solution || !applies;

    /// True for products of gradients with factors that are constant in a cell
    /// if its coefficient and Jacobian are.
    static constexpr bool is_of_gradients =
      applies && F::uses_gradients && !F::uses_values && !F::reads_solution &&
      F::n_state == 0 && !F::projects;

    using Uses = tessera::Uses<F::uses_values || all, F::uses_gradients || all,
                               n_in, F::n_components>;

    template <class T>
    using In = PointValues<n_in, F::dim, T>;
    template <class T>
    using Out = PointValues<F::n_components, F::dim, T>;

    /// `fields` has everything but the solution. `store(s, value)` keeps number
    /// s of the point's state.
    template <class T, class Number, class Store>
    TESSERA_HOST_DEVICE static void
    at_point(const T (&j)[F::dim][F::dim], const Number weight,
             Fields<F, T> &fields, const In<T> &in, Out<T> &out,
             const Store &store)
    {
      // What the form does not use counts as zero.
      if constexpr (Uses::values && !F::uses_values)
        for (int c = 0; c < F::n_components; ++c)
          out.value[c] = T(Number(0));
      if constexpr (Uses::gradients && !F::uses_gradients)
        for (int c = 0; c < F::n_components; ++c)
          for (int d = 0; d < F::dim; ++d)
            out.gradient[c][d] = T(Number(0));

      constexpr int first = applies ? F::n_components : 0;
      if constexpr (all)
        {
          TESSERA_UNROLL
          for (int c = 0; c < F::n_components; ++c)
            {
              fields.solution.value[c] = in.value[first + c];
              TESSERA_UNROLL
              for (int d = 0; d < F::dim; ++d)
                fields.solution.gradient[c][d] = in.gradient[first + c][d];
            }
        }
      if constexpr (quantity == Quantity::state)
        {
          T state[F::n_state];
          F::update(j, fields, state);
          TESSERA_UNROLL
          for (int s = 0; s < F::n_state; ++s)
            store(s, state[s]);
        }
      else if constexpr (quantity == Quantity::residual)
        {
          T point[F::n_point];
          F::linearize(j, weight, fields, point);
          F::residual(point, fields, out);
        }
      else if constexpr (n_in == F::n_components)
        F::apply_once(j, weight, fields, in, out);
      else
        {
          Out<T> trial;
          TESSERA_UNROLL
          for (int c = 0; c < F::n_components; ++c)
            {
              trial.value[c] = in.value[c];
              TESSERA_UNROLL
              for (int d = 0; d < F::dim; ++d)
                trial.gradient[c][d] = in.gradient[c][d];
            }
          F::apply_once(j, weight, fields, trial, out);
        }
    }
  };

  /// Calls `run` with the element whose points a quantity needs: few ones for
  /// products of gradients, if coefficients and Jacobians are constant in every
  /// cell.
  template <class F, Quantity quantity, class E, class Number, class Run>
  TESSERA_HOST void
  on_points(const CellView<Number> &cells,
            const CoefficientView<Number> &coefficient, const Run &run)
  {
    if constexpr (E::simplex && PointWork<F, quantity>::is_of_gradients)
      if (cells.jacobian_point_stride == 0 &&
          (coefficient.is_uniform() || coefficient.point_stride == 0))
        return run(FewPoints<E>());
    run(E());
  }

  /// What `evaluate_cell` calls at the points of a cell: it computes the
  /// Jacobian, asks `fields_at(q, fields)` for what is in memory and passes the
  /// state on to `store(q, s, value)`.
  template <class F, class E, class Work, class Number, class CellGeometry,
            class FieldsAt, class Store>
  struct PointsOfCell
  {
    const ReferenceElement<E, Number> &element;
    const CellGeometry &geometry;
    FieldsAt fields_at;
    Store store;

    template <class In, class Out>
    TESSERA_HOST_DEVICE void
    operator()(const int q, const In &in, Out &out) const
    {
      at_point(q, element.weights[q], in, out, q);
    }

    template <class In, class Out>
    TESSERA_HOST_DEVICE void
    operator()(const int q0, const int q1, const In &in, Out &out) const
    {
      at_point(q1 * E::n1 + q0, element.weights[q0] * element.weights[q1], in,
               out, q0, q1);
    }

    template <class In, class Out>
    TESSERA_HOST_DEVICE void
    operator()(const int q0, const int q1, const int q2, const In &in,
               Out &out) const
    {
      at_point((q2 * E::n1 + q1) * E::n1 + q0,
               element.weights[q0] * element.weights[q1] * element.weights[q2],
               in, out, q0, q1, q2);
    }

  private:
    template <class In, class Out, class... Point>
    TESSERA_HOST_DEVICE void
    at_point(const int q, const Number weight, const In &in, Out &out,
             const Point... point) const
    {
      using T = std::decay_t<decltype(in.value[0])>;
      T j[F::dim][F::dim];
      Fields<F, T> fields;
      geometry.jacobian(element, point..., j);
      fields_at(q, fields);
      Work::at_point(j, weight, fields, in, out,
                     [&](const int s, const T value) { store(q, s, value); });
    }
  };

  template <class F, class E, class Work, class Number, class CellGeometry,
            class FieldsAt, class Store>
  TESSERA_HOST_DEVICE PointsOfCell<F, E, Work, Number, CellGeometry, FieldsAt,
                                   Store>
  points_of_cell(const ReferenceElement<E, Number> &element,
                 const CellGeometry &geometry, const FieldsAt &fields_at,
                 const Store &store)
  {
    return {element, geometry, fields_at, store};
  }

  /// Reads what is evaluated, at the nodes of a cell: x and, behind it, the
  /// solution if both are.
  template <class F, class E, int n_in, class Cell, class Number>
  TESSERA_HOST_DEVICE void
  gather_form(const Cell &cell, const CellApply<Number> &apply,
              const FieldsView<Number> &fields,
              RegisterValues<n_in * E::n, typename Cell::Value> &u)
  {
    TESSERA_UNROLL_BY(n_in * E::n)
    for (int i = 0; i < n_in * E::n; ++i)
      u[i] = cell.template value_at_node<E::n, F::n_components>(
        apply.cells, i < F::n_components * E::n ? apply.x : fields.solution,
        i % E::n, i / E::n % F::n_components);
  }
} // namespace tessera
