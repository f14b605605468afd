#pragma once

#include <tessera/space/hexahedron_team.cuh>

#include "team_projection.cuh"

// The strategies of strategies.cuh on hexahedra, with (p+1)^2 threads a cell:
// every thread has the row's test function on its line of points and, after the
// sums over q0, q1, q2, row i at the nodes of its line: W = p + 1 values which
// stand (p+1)^2 apart.
namespace tessera
{
  /// The fields of a form on the line of points of a thread.
  template <class F, class E, class Member, class Number>
  struct LineFields
  {
    static constexpr int n = Member::n;

    const Member &member;
    const DeviceCell<Number> &cell;
    const FieldsView<Number> &view;
    PointValues<F::n_components, 3, Number> solution[F::reads_solution ? n : 1];

    /// Collective over the block.
    TESSERA_DEVICE
    LineFields(const Member &member, const DeviceCell<Number> &cell,
               const CellView<Number> &cells, const FieldsView<Number> &view)
      : member(member), cell(cell), view(view)
    {
      if constexpr (F::reads_solution)
        {
          TESSERA_ROLLED
          for (int c = 0; c < F::n_components; ++c)
            {
              Number u[n];
              TESSERA_UNROLL
              for (int i2 = 0; i2 < n; ++i2)
                u[i2] = cell.template value_at_node<E::n, F::n_components>(
                  cells, view.solution, member.node(i2), c);
              member.template evaluate<true, true>(u, c, solution);
            }
        }
    }

    TESSERA_DEVICE void
    operator()(const int q0, Fields<F, Number> &fields) const
    {
      const int q = member.point(q0);
      read_coefficient<F>(cell, view.coefficient, q, fields.coefficient);
      read_state<E>(cell, view, q, fields);
      if constexpr (F::reads_solution)
        fields.solution = solution[q0];
    }

    /// Computes what the form keeps at point q0 of the line.
    template <class JacobianAt>
    TESSERA_DEVICE void
    linearize(const JacobianAt &jacobian, const int q0,
              Number (&point)[F::n_point]) const
    {
      Number j[3][3];
      Fields<F, Number> fields;
      jacobian(q0, j);
      (*this)(q0, fields);
      F::linearize(j, member.weight(q0), fields, point);
    }
  };

  /// emit_by_points of strategies.cuh: the thread with the line of a point
  /// computes there what the form keeps, for all of its team.
  template <class F, class E, class Number, class Member, class Writer>
  TESSERA_DEVICE void
  emit_team_by_points(const Member &member, const DeviceCell<Number> &cell,
                      const CellView<Number> &cells,
                      const FieldsView<Number> &view, Writer &writer)
  {
    constexpr int n = Member::n, nn = n * n;
    static_assert(F::n_point <= 3 * E::n, "the team's memory holds a point");
    auto &shared = member.memory.field;
    const LineFields<F, E, Member, Number> fields_at(member, cell, cells, view);
    member.with_jacobians(cell, cells, [&](const auto &jacobian) {
      TESSERA_ROLLED
      for (int q = 0; q < nn * n; ++q)
        {
          const int q0 = q % n;
          Number point[F::n_point];
          device::barrier();
          if (member.active && q == member.point(q0))
            {
              fields_at.linearize(jacobian, q0, point);
              TESSERA_UNROLL
              for (int c = 0; c < F::n_point; ++c)
                shared[c / E::n][c % E::n][member.lane] = point[c];
            }
          device::barrier();
          TESSERA_UNROLL
          for (int c = 0; c < F::n_point; ++c)
            point[c] = shared[c / E::n][c % E::n][member.lane];
          TESSERA_ROLLED
          for (int i = 0; i < nn * n * F::n_components; ++i)
            {
              PointValues<F::n_components, 3, Number> phi, f;
              shape_function<F>(member.element, i, q, phi);
              apply_transposed<F>(point, phi, f);
              writer.begin_row(i);
              TESSERA_UNROLL
              for (int b = 0; b < F::n_components; ++b)
                {
                  Number r[n];
                  TESSERA_UNROLL
                  for (int j2 = 0; j2 < n; ++j2)
                    {
                      shape_function<F>(member.element,
                                        b * E::n + member.node(j2), q, phi);
                      r[j2] = point_product<F>(f, phi, b);
                    }
                  writer.template put<n, nn>(i, b * E::n + member.node(0), r,
                                             q == 0);
                }
            }
        }
    });
  }

  /// emit_diagonal of strategies.cuh: threads compute what the form keeps at
  /// their points, as many points at a time as the memory of the team holds,
  /// and each thread puts the entries of the nodes on its line.
  template <class F, class E, class Number, class Member, class Writer>
  TESSERA_DEVICE void
  emit_team_diagonal(const Member &member, const DeviceCell<Number> &cell,
                     const CellView<Number> &cells,
                     const FieldsView<Number> &view, Writer &writer)
  {
    constexpr int n = Member::n, nn = n * n, n_points = nn * n;
    static_assert(F::n_point <= 3 * E::n, "the team's memory holds a point");
    constexpr int fits    = 3 * E::n / F::n_point;
    constexpr int at_once = fits < n_points ? fits : n_points;
    auto &shared          = member.memory.field;
    const LineFields<F, E, Member, Number> fields_at(member, cell, cells, view);
    Number diagonal[F::n_components][n] = {};
    member.with_jacobians(cell, cells, [&](const auto &jacobian) {
      TESSERA_ROLLED
      for (int first = 0; first < n_points; first += at_once)
        {
          device::barrier();
          TESSERA_UNROLL
          for (int q0 = 0; q0 < n; ++q0)
            if (const int k = member.point(q0) - first;
                member.active && k >= 0 && k < at_once)
              {
                Number point[F::n_point];
                fields_at.linearize(jacobian, q0, point);
                TESSERA_UNROLL
                for (int c = 0; c < F::n_point; ++c)
                  {
                    const int at = k * F::n_point + c;
                    shared[at / E::n][at % E::n][member.lane] = point[c];
                  }
              }
          device::barrier();
          const int end =
            first + at_once < n_points ? first + at_once : n_points;
          TESSERA_ROLLED
          for (int q = first; q < end; ++q)
            {
              const int q0 = q % n, q1 = q / n % n, q2 = q / nn;
              Number point[F::n_point];
              TESSERA_UNROLL
              for (int c = 0; c < F::n_point; ++c)
                {
                  const int at = (q - first) * F::n_point + c;
                  point[c]     = shared[at / E::n][at % E::n][member.lane];
                }
              const Number a  = member.memory.values[member.i0][q0];
              const Number b  = member.memory.values[member.i1][q1];
              const Number da = member.memory.gradients[member.i0][q0];
              const Number db = member.memory.gradients[member.i1][q1];
              TESSERA_UNROLL
              for (int i2 = 0; i2 < n; ++i2)
                {
                  const Number c           = member.memory.values[i2][q2];
                  const Number dc          = member.memory.gradients[i2][q2];
                  const Number gradient[3] = {da * b * c, a * db * c,
                                              a * b * dc};
                  TESSERA_UNROLL
                  for (int d = 0; d < F::n_components; ++d)
                    {
                      PointValues<F::n_components, 3, Number> phi, f;
                      set_component<F>(d, a * b * c, gradient, phi);
                      apply_transposed<F>(point, phi, f);
                      diagonal[d][i2] += point_product<F>(f, phi, d);
                    }
                }
            }
        }
    });
    TESSERA_UNROLL
    for (int d = 0; d < F::n_components; ++d)
      TESSERA_UNROLL
    for (int i2 = 0; i2 < n; ++i2)
      {
        const int i           = d * E::n + member.node(i2);
        const Number value[1] = {diagonal[d][i2]};
        writer.begin_row(i);
        writer.template put<1>(i, i, value);
      }
  }

  template <Strategy strategy, class F, class E, class Number, class Member,
            class Writer>
  TESSERA_DEVICE void
  emit_team(const Member &member, const DeviceCell<Number> &cell,
            const CellView<Number> &cells, const FieldsView<Number> &view,
            Writer &writer)
  {
    constexpr int n      = Member::n;
    constexpr bool keep  = strategy == Strategy::keeps_points;
    constexpr int n_kept = keep ? n : 1;
    const LineFields<F, E, Member, Number> fields_at(member, cell, cells, view);
    member.with_jacobians(cell, cells, [&](const auto &jacobian) {
      const auto compute = [&](const int q0, Number(&point)[F::n_point]) {
        fields_at.linearize(jacobian, q0, point);
      };
      [[maybe_unused]] Number kept[n_kept][F::n_point];
      if constexpr (keep)
        {
          TESSERA_UNROLL
          for (int q0 = 0; q0 < n; ++q0)
            compute(q0, kept[q0]);
        }
      // Calls work(point) with what point q0 keeps.
      const auto at_point = [&](const int q0, const auto &work) {
        if constexpr (keep)
          work(kept[q0]);
        else
          {
            Number point[F::n_point];
            compute(q0, point);
            work(point);
          }
      };
      TESSERA_ROLLED
      for (int i = 0; i < n * n * n * F::n_components; ++i)
        {
          const int component = F::n_components == 1 ? 0 : i / E::n;
          const int node      = F::n_components == 1 ? i : i % E::n;
          const int i0 = node % n, i1 = node / n % n, i2 = node / (n * n);
          const Number b  = member.memory.values[i1][member.i0];
          const Number c  = member.memory.values[i2][member.i1];
          const Number db = member.memory.gradients[i1][member.i0];
          const Number dc = member.memory.gradients[i2][member.i1];
          PointValues<F::n_components, 3, Number> row[n];
          [[maybe_unused]] Number projected[F::projects ? n : 1];
          writer.begin_row(i);
          TESSERA_UNROLL
          for (int q0 = 0; q0 < n; ++q0)
            {
              const Number a           = member.element.values[i0][q0];
              const Number gradient[3] = {member.element.gradients[i0][q0] * b *
                                            c,
                                          a * db * c, a * b * dc};
              PointValues<F::n_components, 3, Number> phi;
              set_component<F>(component, a * b * c, gradient, phi);
              const auto apply = [&](const Number(&point)[F::n_point]) {
                apply_transposed<F>(point, phi, row[q0]);
                if constexpr (F::projects)
                  projected[q0] = F::projected(point, phi);
              };
              at_point(q0, apply);
            }
          if constexpr (F::projects)
            {
              const auto projection =
                project_on_team<E>(member, cell, view,
                                   [&](const int q0) { return projected[q0]; });
              TESSERA_UNROLL
              for (int q0 = 0; q0 < n; ++q0)
                at_point(q0, [&](const Number(&point)[F::n_point]) {
                  F::add_projected(
                    point, projection.at(member.element, member.point(q0)),
                    row[q0]);
                });
            }
          TESSERA_UNROLL
          for (int b_component = 0; b_component < F::n_components;
               ++b_component)
            {
              Number r[n];
              member.template integrate<F::uses_values, F::uses_gradients>(
                row, b_component, r);
              writer.template put<n, n * n>(
                i, b_component * E::n + member.node(0), r);
            }
        }
    });
  }
} // namespace tessera
