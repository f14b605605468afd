#pragma once

#include "../operators/tuning.h"
#include "device_writers.cuh"
#include "hexahedron_strategies.cuh"

// The upper half of the matrix of a hexahedron for a symmetric form,
//   K_ij = sum_q sum_ab d_a phi_i T_ab d_b phi_j,
// where T is the form's matrix of a point, for derivatives 0, 1, 2 and values.
// A thread has a pair of layers of nodes, i2 of rows and j2 of columns, and a
// plane of points, q0: it sums up over q2 once, over q1 for all i1 and j1, and
// shares the sums with the threads of the same layers and the other planes,
// each of which sums up over q0 for the rows i0 = q0. An entry costs
// about 2 (p+1) + 16 multiplications and additions, and the threads of a cell
// meet (p+1)^2 times. With one component only pairs i2 <= j2 are computed.
namespace tessera
{
  /// The threads that share a cell, and the cells of a thread block.
  template <class F, class E, class Number>
  struct PairShape
  {
    static constexpr int n       = E::n1;
    static constexpr int members = n * n; ///< threads of the team at the points
    static constexpr bool halves = F::n_components == 1;
    static constexpr int pairs   = halves ? n * (n + 1) / 2 : n * n;
    /// The first derivative and the end; 3 is the value.
    static constexpr int first = F::uses_gradients ? 0 : 3;
    static constexpr int end   = F::uses_values ? 4 : 3;
    static constexpr int kinds = end - first;
    static constexpr int n_t   = n_local_entries(halves, kinds); ///< of T
    /// TeamMember::evaluate has three fields.
    static constexpr int fields = n_t > 3 ? n_t : 3;
    /// Threads that share the points of a line; the team has the solution.
    static constexpr int sharers = F::reads_solution ? 1 : pairs * n / members;

    /// Returns the bytes of shared memory of a block, without its two tables.
    static constexpr int
    bytes(const int lanes)
    {
      return static_cast<int>(sizeof(Number)) * lanes *
             (fields * E::n + 3 * n_map_entries + 8 * pairs * n);
    }

    /// Returns the largest power of two that fits.
    static constexpr int
    largest(const int lanes)
    {
      return bytes(lanes) <= 48000 &&
                 pairs * n * lanes <= tuning::pair_threads<E>
               ? lanes
               : largest(lanes / 2);
    }

    static constexpr int lanes   = largest(32);
    static constexpr int threads = (pairs * n * lanes + 31) / 32 * 32;
    /// Stores of neighbouring lanes fill a sector of 32 bytes.
    static constexpr bool pays = lanes * sizeof(Number) >= 32;

    /// Returns the field that has entry (a, b) of T.
    TESSERA_HOST_DEVICE static constexpr int
    field(const int a, const int b)
    {
      const int i = a - first, j = b - first;
      return halves && j < i ? local_entry(true, kinds, j, i)
                             : local_entry(halves, kinds, i, j);
    }
  };

  template <class F, class E, class Number>
  struct PairMemory : TeamMemory<E, Number, PairShape<F, E, Number>>
  {
    using Shape = PairShape<F, E, Number>;
    /// Sums over q2 and q1, in turns.
    Number sums[2][4][Shape::pairs * E::n1][Shape::lanes];
  };

  /// Stores the entries of T for components c of rows and d of columns at a
  /// thread's points: every sharers-th one of its line.
  template <class F, class E, class Number, class Member, class JacobianAt>
  TESSERA_DEVICE void
  store_point_matrices(const LineFields<F, E, Member, Number> &fields_at,
                       const Member &member, const JacobianAt &jacobian,
                       const int c, const int d)
  {
    using Shape      = PairShape<F, E, Number>;
    const int sharer = device::thread_index() / (Shape::lanes * Shape::members);
    if (sharer >= Shape::sharers)
      return;
    constexpr int unroll = F::reads_solution ? E::n1 : 1;
    TESSERA_UNROLL_BY(unroll)
    for (int q0 = F::reads_solution ? 0 : sharer; q0 < E::n1;
         q0 += Shape::sharers)
      {
        Number point[F::n_point];
        fields_at.linearize(jacobian, q0, point);
        TESSERA_UNROLL
        for (int a = Shape::first; a < Shape::end; ++a)
          {
            const Number gradient[3] = {Number(a == 0), Number(a == 1),
                                        Number(a == 2)};
            PointValues<F::n_components, 3, Number> unit, f;
            set_component<F>(c, Number(a == 3), gradient, unit);
            apply_transposed<F>(point, unit, f);
            TESSERA_UNROLL
            for (int b = Shape::halves ? a : Shape::first; b < Shape::end; ++b)
              {
                Number value = Number(0);
                TESSERA_UNROLL
                for (int k = 0; k < F::n_components; ++k)
                  if (k == d)
                    {
                      if constexpr (F::uses_values)
                        value = b == 3 ? f.value[k] : value;
                      if constexpr (F::uses_gradients)
                        value = b < 3 ? f.gradient[k][b < 3 ? b : 0] : value;
                    }
                member.memory
                  .field[Shape::field(a, b)][member.point(q0)][member.lane] =
                  value;
              }
          }
      }
  }

  /// Writes the upper half of the matrix of a cell into `values`. Collective
  /// over the block. Blocks of components come one after the other.
  template <class F, class E, class Number, class Member>
  TESSERA_DEVICE void
  emit_pairs(PairMemory<F, E, Number> &memory, const Member &member,
             const DeviceCell<Number> &cell, const CellView<Number> &cells,
             const FieldsView<Number> &view, Number *const values)
  {
    using Shape     = PairShape<F, E, Number>;
    constexpr int n = E::n1, nn = n * n, lanes = Shape::lanes;
    constexpr bool gradients = F::uses_gradients;
    const int thread         = device::thread_index() / lanes;
    const bool works         = thread < Shape::pairs * n;
    const int mine           = works ? thread : Shape::pairs * n - 1;
    const int q0 = mine % n, lane = member.lane;
    int i2 = 0, j2 = mine / n;
    if constexpr (Shape::halves)
      for (; j2 >= n - i2; ++i2)
        j2 -= n - i2;
    else
      {
        i2 = j2 / n;
        j2 %= n;
      }
    j2 += Shape::halves ? i2 : 0;
    LocalWriter<true, F::n_components * E::n, Number> writer{cell, values,
                                                             works};
    const LineFields<F, E, Member, Number> fields_at(member, cell, cells, view);
    member.with_jacobians(cell, cells, [&](const auto &jacobian) {
      TESSERA_ROLLED
      for (int block = 0; block < F::n_components * F::n_components; ++block)
        {
          const int c = block / F::n_components, d = block % F::n_components;
          if (d < c)
            continue;
          device::barrier();
          store_point_matrices<F, E, Number>(fields_at, member, jacobian, c, d);
          device::barrier();

          // Sums over q2, by derivatives 0, 1 and others of rows and columns.
          Number of_pair[3][3][n] = {};
          TESSERA_UNROLL
          for (int q2 = 0; q2 < n; ++q2)
            {
              const Number row[2]    = {memory.values[i2][q2],
                                        memory.gradients[i2][q2]};
              const Number column[2] = {memory.values[j2][q2],
                                        memory.gradients[j2][q2]};
              TESSERA_UNROLL
              for (int q1 = 0; q1 < n; ++q1)
                TESSERA_UNROLL
              for (int a = Shape::first; a < Shape::end; ++a)
                TESSERA_UNROLL
              for (int b = Shape::first; b < Shape::end; ++b)
                of_pair[a < 2 ? a : 2][b < 2 ? b : 2][q1] +=
                  row[a == 2] * column[b == 2] *
                  memory
                    .field[Shape::field(a, b)][(q2 * n + q1) * n + q0][lane];
            }

          int turn = 0;
          TESSERA_ROLLED
          for (int j1 = 0; j1 < n; ++j1)
            {
              // [derivative of the row][is column's derivative 0][q1]
              Number of_column[3][2][n] = {};
              TESSERA_UNROLL
              for (int q1 = 0; q1 < n; ++q1)
                TESSERA_UNROLL
              for (int a = gradients ? 0 : 2; a < 3; ++a)
                {
                  const Number value  = member.element.values[j1][q1];
                  of_column[a][0][q1] = value * of_pair[a][2][q1];
                  if constexpr (gradients)
                    {
                      of_column[a][0][q1] +=
                        member.element.gradients[j1][q1] * of_pair[a][1][q1];
                      of_column[a][1][q1] = value * of_pair[a][0][q1];
                    }
                }
              TESSERA_ROLLED
              for (int i1 = 0; i1 < n; ++i1, turn ^= 1)
                {
                  auto &sums = memory.sums[turn];
                  TESSERA_UNROLL
                  for (int s = 0; s < (gradients ? 2 : 1); ++s)
                    {
                      Number value = Number(0), slope = Number(0);
                      TESSERA_UNROLL
                      for (int q1 = 0; q1 < n; ++q1)
                        {
                          value +=
                            member.element.values[i1][q1] * of_column[2][s][q1];
                          if constexpr (gradients)
                            {
                              value += member.element.gradients[i1][q1] *
                                       of_column[1][s][q1];
                              slope += member.element.values[i1][q1] *
                                       of_column[0][s][q1];
                            }
                        }
                      if (works)
                        {
                          sums[s][mine][lane] = value;
                          if constexpr (gradients)
                            sums[2 + s][mine][lane] = slope;
                        }
                    }
                  device::barrier();

                  // Now q0 is the row's i0.
                  Number r[n] = {};
                  TESSERA_UNROLL
                  for (int q = 0; q < n; ++q)
                    {
                      const int from = mine - q0 + q;
                      Number f[2];
                      TESSERA_UNROLL
                      for (int s = 0; s < (gradients ? 2 : 1); ++s)
                        {
                          f[s] = memory.values[q0][q] * sums[s][from][lane];
                          if constexpr (gradients)
                            f[s] +=
                              memory.gradients[q0][q] * sums[2 + s][from][lane];
                        }
                      TESSERA_UNROLL
                      for (int j0 = 0; j0 < n; ++j0)
                        {
                          r[j0] += member.element.values[j0][q] * f[0];
                          if constexpr (gradients)
                            r[j0] += member.element.gradients[j0][q] * f[1];
                        }
                    }
                  const int i = c * E::n + i2 * nn + i1 * n + q0;
                  const int j = d * E::n + j2 * nn + j1 * n;
                  writer.template put<n>(i, j, r);
                }
            }
        }
    });
  }

  /// Thread blocks that share a block of cells: each has a batch.
  constexpr int parts_of_pairs = CellData<double>::device_threads / 32;

  /// emit_block of device_emit.cuh by pairs.
  template <class F, class E, bool stored, class Number>
  TESSERA_DEVICE void
  emit_block_by_pairs(const AssemblyCells<Number> &in, Number *const values,
                      const ReferenceElement<E, Number> &element)
  {
    using Shape         = PairShape<F, E, Number>;
    constexpr int cells = CellData<Number>::device_threads / parts_of_pairs;
    static_assert(sizeof(PairMemory<F, E, Number>) <= 48 * 1024,
                  "shared memory of a block");
    TESSERA_SHARED PairMemory<F, E, Number> memory;
    const TeamMember<E, stored, Number, Shape> member(memory, element);
    const int block = device::block_index() / parts_of_pairs;
    const int begin = device::block_index() % parts_of_pairs * cells;
    TESSERA_ROLLED
    for (int first = begin; first < begin + cells; first += Shape::lanes)
      {
        const DeviceCell<Number> cell =
          cell_of_block(in.cells, in.blocks, first + member.lane, block);
        emit_pairs<F, E>(memory, member, cell, in.cells, in.fields, values);
      }
  }
} // namespace tessera
