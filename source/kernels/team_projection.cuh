#pragma once

#include <tessera/space/hexahedron_team.cuh>

#include "projections.cuh"

// The projected term on hexahedra with (p+1)^2 threads a cell.
namespace tessera
{
  /// Sums up what the threads of a team have of the integrals of a cell, each
  /// from the values value(q0) on its line of points, and makes factors of
  /// them. The team adds in a fixed order.
  template <class E, class Number, class Member, class ValueAt>
  TESSERA_DEVICE Projection<E, Number>
  project_on_team(const Member &member, const DeviceCell<Number> &cell,
                  const FieldsView<Number> &view, const ValueAt &value)
  {
    constexpr int n = Member::n, m = Projection<E, Number>::m;
    static_assert(m <= E::n, "the team's memory holds a number of each thread");
    Projection<E, Number> on_line, result;
    TESSERA_UNROLL
    for (int q0 = 0; q0 < n; ++q0)
      on_line.add(member.element, member.point(q0), value(q0));
    device::barrier();
    TESSERA_UNROLL
    for (int k = 0; member.active && k < m; ++k)
      member.memory
        .field[k % 3][member.i1 * n + member.i0 + k / 3 * n * n][member.lane] =
        on_line.numbers[k];
    device::barrier();
    TESSERA_UNROLL
    for (int k = 0; k < m; ++k)
      TESSERA_ROLLED
    for (int thread = 0; thread < n * n; ++thread)
      result.numbers[k] +=
        member.memory.field[k % 3][thread + k / 3 * n * n][member.lane];
    result.project(cell, view);
    return result;
  }

  /// CellProjection of a team, for the function whose values and gradients on
  /// the line of points are `in`. `read(q0, j, fields)` sets the Jacobian and
  /// the fields of a point.
  template <class F, class E, class Number, bool projects = F::projects>
  struct TeamProjection : CellProjection<F, E, Number, false>
  {
    using CellProjection<F, E, Number, false>::CellProjection;
  };

  template <class F, class E, class Number>
  struct TeamProjection<F, E, Number, true>
  {
    Projection<E, Number> of_cell;

    template <class Member, class Read, class In>
    TESSERA_DEVICE
    TeamProjection(const Member &member, const DeviceCell<Number> &cell,
                   const FieldsView<Number> &view, const Read &read,
                   const In (&in)[Member::n])
      : of_cell(project_on_team<E>(member, cell, view, [&](const int q0) {
          Number j[3][3], point[F::n_point];
          Fields<F, Number> fields;
          read(q0, j, fields);
          F::linearize(j, member.weight(q0), fields, point);
          return F::projected(point, in[q0]);
        }))
    {}

    TESSERA_DEVICE void
    read(const ReferenceElement<E, Number> &element, const int q,
         Fields<F, Number> &fields) const
    {
      fields.projection = of_cell.at(element, q);
    }
  };
} // namespace tessera
