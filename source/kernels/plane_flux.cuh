#pragma once

#include <tessera/forms/flux_form.h>

#include "coefficients.cuh"
#include "hexahedron_planes.cuh"

#include <type_traits>

namespace tessera
{
  /// The flux at the points of a thread's plane. A number at every point is
  /// read before the derivatives are computed; a tensor where it is used.
  template <class F, class E, CellMap map_kind, bool uniform, class Number>
  struct PlaneFlux
  {
    static constexpr int n       = E::n1;
    using Member                 = PlaneMember<E, map_kind, Number>;
    static constexpr bool linear = map_kind == CellMap::linear;
    /// True if the metric has the coefficient, too.
    static constexpr bool whole_metric = linear && !F::scales_gradient;

    const Member &member;
    const DeviceCell<Number> &cell;
    const CoefficientView<Number> &coefficient;

    /// Sets the metric of a parallelepiped for all threads of the cell, without
    /// the weight of a point. For forms that do not multiply by a number, the
    /// coefficient must be the same at all points.
    TESSERA_DEVICE void
    make_metric() const
    {
      if constexpr (linear)
        if (member.member == 0)
          {
            Number j[3][3], metric[F::n_point];
            Fields<F, Number> fields;
            member.linear_jacobian(cell, j);
            if constexpr (whole_metric)
              read_coefficient<F>(cell, coefficient, 0, fields.coefficient);
            else
              fields.coefficient[0] = Number(1);
            F::linearize(j, Number(1), fields, metric);
            TESSERA_UNROLL
            for (int e = 0; e < n_symmetric(3); ++e)
              member.memory.map[e][member.lane] = metric[e];
          }
    }

    struct Numbers
    {
      Number k[F::scales_gradient && !whole_metric ? n : 1];
    };

    TESSERA_DEVICE Numbers
    numbers(const int q1) const
    {
      Numbers result = {};
      if constexpr (F::scales_gradient && !whole_metric)
        {
          TESSERA_UNROLL
          for (int q0 = 0; q0 < n; ++q0)
            {
              Number k[1];
              cell.template coefficient_known<uniform>(coefficient,
                                                       point(q0, q1), k);
              result.k[q0] = k[0];
            }
        }
      return result;
    }

    /// The flux on a line of points of a parallelepiped.
    struct LinearLine
    {
      const PlaneFlux &flux;
      const Numbers &numbers;
      Number metric[n_symmetric(3)]; ///< with the weights of the line

      TESSERA_DEVICE
      LinearLine(const PlaneFlux &flux, const Numbers &numbers,
                 const Number weight)
        : flux(flux), numbers(numbers)
      {
        TESSERA_UNROLL
        for (int e = 0; e < n_symmetric(3); ++e)
          metric[e] = weight * flux.member.memory.map[e][flux.member.lane];
      }

      TESSERA_DEVICE void
      operator()(const int q0, const Number (&g)[3], Number (&f)[3]) const
      {
        Number scale = flux.member.element.weights[q0];
        if constexpr (!whole_metric)
          scale *= numbers.k[q0];
        apply_symmetric(metric, g, f);
        TESSERA_UNROLL
        for (int d = 0; d < 3; ++d)
          f[d] *= scale;
      }
    };

    struct Line
    {
      const PlaneFlux &flux;
      const Numbers &numbers;
      int q1;
      Number weight;
      std::conditional_t<map_kind == CellMap::points,
                         StoredGeometry<E, DeviceCell<Number>, Number>,
                         TrilinearRow<Number>>
        geometry;

      TESSERA_DEVICE void
      operator()(const int q0, const Number (&g)[3], Number (&f)[3]) const
      {
        const auto &element = flux.member.element;
        Number j[3][3], scale = element.weights[q0] * weight;
        Fields<F, Number> fields;
        PointValues<1, 3, Number> in, out;
        if constexpr (map_kind == CellMap::points)
          geometry.jacobian(element, q0, q1, flux.member.member, j);
        else
          geometry.jacobian(element.points[q0], j);
        if constexpr (F::scales_gradient)
          {
            scale *= numbers.k[q0];
            fields.coefficient[0] = Number(1);
          }
        else
          read_coefficient<F>(flux.cell, flux.coefficient, flux.point(q0, q1),
                              fields.coefficient);
        TESSERA_UNROLL
        for (int d = 0; d < 3; ++d)
          in.gradient[0][d] = g[d];
        F::apply_once(j, scale, fields, in, out);
        TESSERA_UNROLL
        for (int d = 0; d < 3; ++d)
          f[d] = out.gradient[0][d];
      }
    };

    TESSERA_DEVICE auto
    line(const int q1, const Numbers &numbers) const
    {
      const auto &element = member.element;
      const Number weight =
        element.weights[q1] * element.weights[member.member];
      if constexpr (linear)
        return LinearLine(*this, numbers, weight);
      else if constexpr (map_kind == CellMap::points)
        return Line{*this,
                    numbers,
                    q1,
                    weight,
                    {cell, member.view.jacobians,
                     member.view.n_jacobian_entries,
                     member.view.jacobian_point_stride}};
      else
        return Line{*this, numbers, q1, weight,
                    TrilinearRow<Number>(
                      element.points[q1], element.points[member.member],
                      [this](const int e, const int k) {
                        return member.memory.map[3 * e + k][member.lane];
                      })};
    }

  private:
    TESSERA_DEVICE int
    point(const int q0, const int q1) const
    {
      return (member.member * n + q1) * n + q0;
    }
  };
} // namespace tessera
