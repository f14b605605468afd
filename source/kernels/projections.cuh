#pragma once

#include <tessera/space/cell_projection.h>
#include <tessera/space/local_entry.h>

#include "points.cuh"

// The term of a form that projects (forms/form.h). For a function u it takes
// two sums over the points of a cell: the first one makes the integrals of
// f(u) psi_k, which the matrix of the cell (projection_matrices) turns into the
// factors of psi_k in kappa P(f(u)); the second one tests these.
namespace tessera
{
  /// The function psi_k at point q of the reference cell.
  template <class E, class Number>
  TESSERA_HOST_DEVICE Number
  projected_function(const ReferenceElement<E, Number> &element, const int k,
                     const int q)
  {
    if constexpr (E::simplex || E::degree == 1)
      return Number(1);
    else
      {
        int stride = 1;
        for (int d = 1; d < k; ++d)
          stride *= E::n1;
        return k == 0 ? Number(1)
                      : element.points[q / stride % E::n1] - Number(0.5);
      }
  }

  /// One number for each psi_k: integrals, then factors.
  template <class E, class T>
  struct Projection
  {
    static constexpr int m = n_projected(E::cell_type, E::degree);

    T numbers[m];

    TESSERA_HOST_DEVICE
    Projection()
    {
      TESSERA_UNROLL
      for (int k = 0; k < m; ++k)
        numbers[k] = T(0.);
    }

    /// Adds what point q has of the integrals.
    template <class Number>
    TESSERA_HOST_DEVICE void
    add(const ReferenceElement<E, Number> &element, const int q, const T value)
    {
      TESSERA_UNROLL
      for (int k = 0; k < m; ++k)
        numbers[k] += projected_function<E>(element, k, q) * value;
    }

    /// Makes factors of integrals.
    template <class Cells, class Number>
    TESSERA_HOST_DEVICE void
    project(const Cells &cell, const FieldsView<Number> &view)
    {
      T integrals[m];
      TESSERA_UNROLL
      for (int k = 0; k < m; ++k)
        integrals[k] = numbers[k];
      TESSERA_UNROLL
      for (int k = 0; k < m; ++k)
        {
          numbers[k] = T(0.);
          TESSERA_UNROLL
          for (int l = 0; l < m; ++l)
            numbers[k] +=
              cell.load(view.projections, n_local_entries(true, m),
                        local_entry(true, m, k < l ? k : l, k < l ? l : k)) *
              integrals[l];
        }
    }

    /// The value at point q, from the factors.
    template <class Number>
    TESSERA_HOST_DEVICE T
    at(const ReferenceElement<E, Number> &element, const int q) const
    {
      T value = numbers[0];
      TESSERA_UNROLL
      for (int k = 1; k < m; ++k)
        value += projected_function<E>(element, k, q) * numbers[k];
      return value;
    }
  };

  /// What the projected term adds to the test functions of a row of a cell
  /// matrix; nothing for forms that do not project.
  template <class F, class E, class T, class Number,
            bool projects = F::projects>
  struct RowProjection
  {
    template <class PointsAt>
    TESSERA_HOST_DEVICE
    RowProjection(const ReferenceElement<E, Number> &, const PointsAt &, int)
    {}

    TESSERA_HOST_DEVICE void
    add_to(const int, const T (&)[F::n_point],
           PointValues<F::n_components, F::dim, T> &) const
    {}
  };

  template <class F, class E, class T, class Number>
  struct RowProjection<F, E, T, Number, true>
  {
    const ReferenceElement<E, Number> &element;
    Projection<E, T> of_row;

    template <class PointsAt>
    TESSERA_HOST_DEVICE
    RowProjection(const ReferenceElement<E, Number> &element,
                  const PointsAt &points, const int i)
      : element(element)
    {
      [[maybe_unused]] constexpr int unroll = PointsAt::keep ? E::n_points : 1;
      TESSERA_UNROLL_BY(unroll)
      for (int q = 0; q < E::n_points; ++q)
        {
          PointValues<F::n_components, F::dim, Number> phi;
          T point[F::n_point];
          shape_function<F>(element, i, q, phi);
          points.at(q, 0, point);
          of_row.add(element, q, F::projected(point, phi));
        }
      of_row.project(points.fields_at.cell, points.fields_at.view);
    }

    TESSERA_HOST_DEVICE void
    add_to(const int q, const T (&point)[F::n_point],
           PointValues<F::n_components, F::dim, T> &test) const
    {
      F::add_projected(point, of_row.at(element, q), test);
    }
  };

  /// kappa P(f(u)) in products, for the function with values u at the nodes of
  /// a cell; nothing for forms that do not project. `fields_at` is as in
  /// PointsOfCell.
  template <class F, class E, class T, bool projects = F::projects>
  struct CellProjection
  {
    template <class... Arguments>
    TESSERA_HOST_DEVICE
    CellProjection(const Arguments &...)
    {}

    template <class Number>
    TESSERA_HOST_DEVICE void
    read(const ReferenceElement<E, Number> &, int, Fields<F, T> &) const
    {}
  };

  template <class F, class E, class T>
  struct CellProjection<F, E, T, true>
  {
    Projection<E, T> of_cell;

    template <class Number, class CellGeometry, class FieldsAt, class Values,
              class Cells>
    TESSERA_HOST_DEVICE
    CellProjection(const ReferenceElement<E, Number> &element,
                   const CellGeometry &geometry, const FieldsAt &fields_at,
                   const Values &u, const Cells &cell,
                   const FieldsView<Number> &view)
    {
      TESSERA_ROLLED
      for (int q = 0; q < E::n_points; ++q)
        {
          PointValues<F::n_components, F::dim, T> at;
          function_at_point<F, E::n>(element, u, q, at);
          T j[E::dim][E::dim], point[F::n_point];
          Fields<F, T> fields;
          const Number weight = jacobian_and_weight(element, geometry, q, j);
          fields_at(q, fields);
          F::linearize(j, weight, fields, point);
          of_cell.add(element, q, F::projected(point, at));
        }
      of_cell.project(cell, view);
    }

    template <class Number>
    TESSERA_HOST_DEVICE void
    read(const ReferenceElement<E, Number> &element, const int q,
         Fields<F, T> &fields) const
    {
      fields.projection = of_cell.at(element, q);
    }
  };
} // namespace tessera
