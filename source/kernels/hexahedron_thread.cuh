#pragma once

#include <tessera/forms/flux_form.h>
#include <tessera/space/device_cells.cuh>
#include <tessera/space/reference_element.h>

#include "coefficients.cuh"
#include "hexahedron_map.cuh"

// r = K_e x_e of a form of gradients on a hexahedron of degree 1, for one
// thread that keeps nearly all numbers of the cell in registers. Nothing goes
// through shared memory, whose queue would be the limit.
namespace tessera
{
  /// What a form tests gradients with at points whose Jacobian is known.
  template <class F, bool uniform, class Number>
  struct FormAtPoints
  {
    static constexpr bool scales = FluxTraits<F>::scales_gradient;
    using Values                 = PointValues<F::n_components, 3, Number>;

    const DeviceCell<Number> &cell;
    const CoefficientView<Number> &view;
    Fields<F, Number> fields; ///< of the cell, or of the last point
    bool varies;              ///< from point to point

    TESSERA_DEVICE
    FormAtPoints(const DeviceCell<Number> &cell,
                 const CoefficientView<Number> &view)
      : cell(cell), view(view),
        varies(!uniform && !view.is_uniform() && view.point_stride != 0)
    {
      if constexpr (scales)
        fields.coefficient[0] = Number(1);
      else
        read(0);
    }

    /// The factor of the weight of point q.
    TESSERA_DEVICE Number
    number(const int q) const
    {
      Number k[1] = {Number(1)};
      if constexpr (scales)
        cell.template coefficient_known<uniform>(view, q, k);
      return k[0];
    }

    TESSERA_DEVICE void
    operator()(const int q, const Number (&j)[3][3], const Number weight,
               const Values &in, Values &out)
    {
      if (varies && !scales && q > 0)
        read(q);
      if constexpr (F::is_flux)
        F::apply_once(j, weight, fields, in, out);
      else
        {
          Number point[F::n_point];
          F::linearize(j, weight, fields, point);
          F::apply(point, in, out);
        }
    }

  private:
    TESSERA_DEVICE void
    read(const int q)
    {
      if constexpr (uniform)
        cell.template coefficient_known<true>(view, q, fields.coefficient);
      else
        read_coefficient<F>(cell, view, q, fields.coefficient);
    }
  };

  /// The derivatives of a trilinear function at the 2^3 points of a cell. A
  /// derivative in direction d does not depend on coordinate d of the point.
  template <class Number>
  struct TrilinearDerivatives
  {
    /// along[d][a + 2 b] is the derivative in direction d at the points a and b
    /// of the other two directions, the lower one first.
    Number along[3][4];

    /// The place of what direction d has at point q = q0 + 2 q1 + 4 q2.
    TESSERA_DEVICE static constexpr int
    place(const int d, const int q)
    {
      return d == 0 ? q / 2 : d == 1 ? q % 2 + q / 4 * 2 : q % 4;
    }

    /// Sets them from the values f of the function at the vertices.
    template <class E>
    TESSERA_DEVICE void
    set(const ReferenceElement<E, Number> &element, const Number (&f)[8])
    {
      TESSERA_UNROLL
      for (int d = 0; d < 3; ++d)
        {
          Number line[4];
          TESSERA_UNROLL
          for (int b = 0; b < 2; ++b)
            to_points(element, edge(f, d, 0, b), edge(f, d, 1, b), line[2 * b],
                      line[2 * b + 1]);
          TESSERA_UNROLL
          for (int a = 0; a < 2; ++a)
            to_points(element, line[a], line[2 + a], along[d][a],
                      along[d][2 + a]);
        }
    }

    /// Adds f[d] to what direction d has at point q, where points come in their
    /// order.
    TESSERA_DEVICE void
    add(const int q, const Number (&f)[3])
    {
      TESSERA_UNROLL
      for (int d = 0; d < 3; ++d)
        {
          Number &to = along[d][place(d, q)];
          to         = q >> d & 1 ? to + f[d] : f[d];
        }
    }

    /// Sets r to the sums of these numbers times the derivatives of the shape
    /// functions of the vertices.
    template <class E>
    TESSERA_DEVICE void
    test(const ReferenceElement<E, Number> &element, Number (&r)[8]) const
    {
      TESSERA_UNROLL
      for (int d = 0; d < 3; ++d)
        {
          Number line[4];
          TESSERA_UNROLL
          for (int a = 0; a < 2; ++a)
            from_points(element, along[d][a], along[d][2 + a], line[a],
                        line[2 + a]);
          TESSERA_UNROLL
          for (int b = 0; b < 2; ++b)
            {
              Number sum[2];
              from_points(element, line[2 * b], line[2 * b + 1], sum[0],
                          sum[1]);
              TESSERA_UNROLL
              for (int a = 0; a < 2; ++a)
                {
                  const int from = first(d, a, b), to = from + (1 << d);
                  r[from] = d == 0 ? -sum[a] : r[from] - sum[a];
                  r[to]   = d == 0 ? sum[a] : r[to] + sum[a];
                }
            }
        }
    }

  private:
    /// The first vertex of the edge in direction d at a and b in the others.
    TESSERA_DEVICE static constexpr int
    first(const int d, const int a, const int b)
    {
      return d == 0 ? 2 * a + 4 * b : d == 1 ? a + 4 * b : a + 2 * b;
    }

    TESSERA_DEVICE static Number
    edge(const Number (&f)[8], const int d, const int a, const int b)
    {
      return f[first(d, a, b) + (1 << d)] - f[first(d, a, b)];
    }

    /// Interpolates from both ends of an interval to its points.
    template <class E>
    TESSERA_DEVICE static void
    to_points(const ReferenceElement<E, Number> &element, const Number left,
              const Number right, Number &at_0, Number &at_1)
    {
      const Number slope = right - left;
      at_0               = left + element.points[0] * slope;
      at_1               = left + element.points[1] * slope;
    }

    /// The transpose.
    template <class E>
    TESSERA_DEVICE static void
    from_points(const ReferenceElement<E, Number> &element, const Number at_0,
                const Number at_1, Number &left, Number &right)
    {
      left  = element.values[0][0] * at_0 + element.values[0][1] * at_1;
      right = element.values[1][0] * at_0 + element.values[1][1] * at_1;
    }
  };

  /// Computes r = K_e x_e of the form F in one thread.
  template <class F, class E, CellMap map_kind, bool uniform, class Number>
  struct ThreadOfCell
  {
    static_assert(E::degree == 1, "eight vertices and points");
    static constexpr int n_components = F::n_components;

    struct Memory
    {};

    const DeviceCell<Number> &cell;
    const CellView<Number> &view;
    const CoefficientView<Number> &coefficient;
    const ReferenceElement<E, Number> &element;

    TESSERA_DEVICE void
    product(const Number *const x, Memory &,
            Number (&r)[n_components][E::n]) const
    {
      // both points of an interval have the same weight
      const Number weight =
        element.weights[0] * element.weights[0] * element.weights[0];
      using Form = FormAtPoints<F, uniform, Number>;
      Form form(cell, coefficient);
      TrilinearDerivatives<Number> map[3], gradient[n_components],
        tested[n_components];
      Number metric[n_symmetric(3)];
      if constexpr (map_kind == CellMap::linear)
        {
          Number j[3][3];
          linear_jacobian(cell, view, element, j);
          F::linearize(j, weight, form.fields, metric);
        }
      if constexpr (map_kind == CellMap::trilinear)
        {
          Number vertex[E::n][3];
          cell.vertices(view, vertex);
          TESSERA_UNROLL
          for (int k = 0; k < 3; ++k)
            {
              Number coordinate[E::n];
              TESSERA_UNROLL
              for (int v = 0; v < E::n; ++v)
                coordinate[v] = vertex[v][k];
              map[k].set(element, coordinate);
            }
        }
      TESSERA_UNROLL
      for (int c = 0; c < n_components; ++c)
        {
          Number u[E::n];
          TESSERA_UNROLL
          for (int i = 0; i < E::n; ++i)
            u[i] =
              cell.template value_at_node<E::n, n_components>(view, x, i, c);
          gradient[c].set(element, u);
        }
      TESSERA_UNROLL
      for (int q = 0; q < E::n; ++q)
        {
          PointValues<n_components, 3, Number> in, out;
          TESSERA_UNROLL
          for (int c = 0; c < n_components; ++c)
            TESSERA_UNROLL
          for (int d = 0; d < 3; ++d)
            in.gradient[c][d] = gradient[c].along[d][gradient[c].place(d, q)];
          if constexpr (map_kind == CellMap::linear)
            {
              apply_symmetric(metric, in.gradient[0], out.gradient[0]);
              if constexpr (Form::scales)
                {
                  const Number k = form.number(q);
                  TESSERA_UNROLL
                  for (int d = 0; d < 3; ++d)
                    out.gradient[0][d] *= k;
                }
            }
          else
            {
              Number j[3][3];
              if constexpr (map_kind == CellMap::points)
                stored_jacobian(cell, view, element, q, j);
              else
                {
                  TESSERA_UNROLL
                  for (int k = 0; k < 3; ++k)
                    TESSERA_UNROLL
                  for (int d = 0; d < 3; ++d)
                    j[k][d] = map[k].along[d][map[k].place(d, q)];
                }
              form(q, j, weight * form.number(q), in, out);
            }
          TESSERA_UNROLL
          for (int c = 0; c < n_components; ++c)
            tested[c].add(q, out.gradient[c]);
        }
      TESSERA_UNROLL
      for (int c = 0; c < n_components; ++c)
        tested[c].test(element, r[c]);
    }
  };
} // namespace tessera
