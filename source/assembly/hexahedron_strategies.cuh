#pragma once

#include <tessera/space/hexahedron_team.cuh>

#include "metric.cuh"

namespace tessera
{
  /// The strategies of strategies.cuh on hexahedra, (p+1)^2 threads a cell:
  /// every thread has the flux of phi_i on its line of points and, after the
  /// sums over q2, q1, q0, row i at the nodes of its line, W = p + 1 values
  /// (p+1)^2 apart.
  /// emit_by_points of strategies.cuh: the thread with the line of a point
  /// computes the metric there for all of its team.
  template <class Form, class Number, class Member, class Writer>
  TESSERA_DEVICE void
  emit_team_by_points(const Member &member, const DeviceCell<Number> &cell,
                      const CellView<Number> &view,
                      const CoefficientView<Number> &kappa, Writer &writer)
  {
    constexpr int n = Member::n, nn = n * n;
    auto &shared = member.memory.field[0];
    member.with_jacobians(cell, view, [&](const auto &jacobian) {
      TESSERA_ROLLED
      for (int q = 0; q < nn * n; ++q)
        {
          const int q2 = q / nn;
          Number g[6];
          device::barrier();
          if (member.active && q == member.node(q2))
            {
              Number j[3][3], k[Form::n_coefficients];
              jacobian(q2, j);
              cell.coefficient(kappa, q, k);
              metric<Form>(j, k, member.weight(q2), g);
              TESSERA_UNROLL
              for (int c = 0; c < 6; ++c)
                shared[c][member.lane] = g[c];
            }
          device::barrier();
          TESSERA_UNROLL
          for (int c = 0; c < 6; ++c)
            g[c] = shared[c][member.lane];
          TESSERA_ROLLED
          for (int i = 0; i < nn * n; ++i)
            {
              Number phi[3], f[3], r[n];
              reference_gradient(member.element, i, q, phi);
              apply_metric(g, phi, f);
              writer.begin_row(i);
              TESSERA_UNROLL
              for (int j2 = 0; j2 < n; ++j2)
                {
                  reference_gradient(member.element, member.node(j2), q, phi);
                  r[j2] = phi[0] * f[0] + phi[1] * f[1] + phi[2] * f[2];
                }
              writer.template put<n, nn>(i, member.node(0), r, q == 0);
            }
        }
    });
  }

  template <Strategy strategy, class Form, class Number, class Member,
            class Writer>
  TESSERA_DEVICE void
  emit_team(const Member &member, const DeviceCell<Number> &cell,
            const CellView<Number> &view, const CoefficientView<Number> &kappa,
            Writer &writer)
  {
    constexpr int n      = Member::n;
    constexpr bool keep  = strategy == Strategy::local_reuse;
    constexpr int n_kept = keep ? n : 1;
    member.with_jacobians(cell, view, [&](const auto &jacobian) {
      const auto compute = [&](const int q2, Number(&g)[6]) {
        Number j[3][3], k[Form::n_coefficients];
        jacobian(q2, j);
        cell.coefficient(kappa, member.node(q2), k);
        metric<Form>(j, k, member.weight(q2), g);
      };
      Number kept[n_kept][6];
      if constexpr (keep)
        {
          TESSERA_UNROLL
          for (int q2 = 0; q2 < n; ++q2)
            compute(q2, kept[q2]);
        }
      TESSERA_ROLLED
      for (int i = 0; i < n * n * n; ++i)
        {
          const int i0 = i % n, i1 = i / n % n, i2 = i / (n * n);
          const Number a  = member.memory.values[i0][member.i0];
          const Number b  = member.memory.values[i1][member.i1];
          const Number da = member.memory.gradients[i0][member.i0];
          const Number db = member.memory.gradients[i1][member.i1];
          Number flux[n][3], r[n];
          writer.begin_row(i);
          TESSERA_UNROLL
          for (int q2 = 0; q2 < n; ++q2)
            {
              const Number c      = member.element.values[i2][q2];
              const Number phi[3] = {da * b * c, a * db * c,
                                     a * b * member.element.gradients[i2][q2]};
              if constexpr (keep)
                apply_metric(kept[q2], phi, flux[q2]);
              else
                {
                  Number g[6];
                  compute(q2, g);
                  apply_metric(g, phi, flux[q2]);
                }
            }
          member.test_by_gradients(flux, r);
          writer.template put<n, n * n>(i, member.node(0), r);
        }
    });
  }
} // namespace tessera
