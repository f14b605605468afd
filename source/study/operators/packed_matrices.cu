#include <tessera/base/for_each.cuh>
#include <tessera/base/launch.h>
#include <tessera/space/device_cells.cuh>

#include "packed_matrices_kernels.h"

namespace tessera
{
  namespace
  {
    /// Whom node k meets, and the place of their pair, as in Tournament, but
    /// without divisions, round after round.
    struct Opponent
    {
      int k, m;
      bool even;
      int ahead, distance; ///< (2 g - k) mod m and (k - g) mod m
      int node, pair;

      TESSERA_DEVICE
      Opponent(const Tournament &rounds, const int k)
        : k(k), m(rounds.n_rounds()), even(rounds.n % 2 == 0),
          ahead(k == 0 ? 0 : m - k), distance(k), node(), pair()
      {
        set(0);
      }

      TESSERA_DEVICE void
      next(const int round)
      {
        ahead += 2;
        if (ahead >= m)
          ahead -= m;
        distance = distance == 0 ? m - 1 : distance - 1;
        set(round);
      }

    private:
      TESSERA_DEVICE void
      set(const int round)
      {
        const int nearer = 2 * distance > m ? m - distance : distance;
        node             = k == m ? round : ahead == k && even ? m : ahead;
        pair             = k == m ? 0 : even ? nearer : nearer - 1;
      }
    };

    /// r += K_e u for the m rows of a thread, which read column after column.
    /// The vector of the cell stands in shared memory, [node][component].
    template <int m, class Number>
    TESSERA_DEVICE void
    add_rows(const Number *values, const int step, const int n_nodes,
             const Number *u, Number (&r)[m])
    {
      TESSERA_ROLLED
      for (int d = 0; d < m; ++d)
        {
          TESSERA_UNROLL_BY(4)
          for (int b = 0; b < n_nodes; ++b)
            {
              const Number u_b = u[b * m + d];
              TESSERA_UNROLL
              for (int c = 0; c < m; ++c)
                r[c] += device::load_once(values +
                                          ((d * n_nodes + b) * m + c) * step) *
                        u_b;
            }
        }
    }

    /// y += A x with a team of threads for each cell, m values of a cell for
    /// each thread (KiranGautamSharma2020, sections 2.4 and 3.2); see
    /// PackedMatrices. Repeatable unless conflicts are handled by atomics.
    ///
    /// Bytes per cell in double: 8 n^2 or 4 n (n + 1) of values, 4 for each
    /// node, x, and y read and written.
    template <bool pairs, int m, class Number>
    TESSERA_KERNEL(team_block, (m * sizeof(Number) > 8 ? 6 : 9))
    void multiply_teams(TESSERA_ARGUMENT(CellApply<Number>) apply,
                        TESSERA_ARGUMENT(TeamValues<Number>) teams)
    {
      TESSERA_SHARED Number all_u[pairs ? 1 : team_block * m];
      TESSERA_SHARED int all_nodes[pairs ? team_block : 1];
      const int nn = teams.places.n_nodes;
      const TeamShape shape{nn};
      const Tournament rounds{nn};
      const bool in_warp = shape.in_warp();
      const int thread   = device::thread_index();
      const int unit     = in_warp ? thread % 32 : thread;
      const int slot = unit / nn, k = unit % nn;
      const int per_group = shape.cells_of_group(), n_groups = shape.n_groups();
      const int at_once  = in_warp ? team_block / 32 : 1;
      const bool atomics = apply.conflict == Conflict::atomics;
      Number product     = Number(0);
      TESSERA_ROLLED
      for (int first = 0; first < n_groups; first += at_once)
        {
          const int group   = first + (in_warp ? thread / 32 : 0);
          const int left    = team_block - group * per_group;
          const int n_cells = left < per_group ? left : per_group;
          const bool active = slot < n_cells;
          const int number = active ? group * per_group + slot : team_block - 1;
          const auto cell  = cell_of_block(apply.cells, apply.blocks, number);
          const int node =
            teams.n_components *
              cell.load(apply.cells.dofs, teams.n_nodes, k % teams.n_nodes) +
            k / teams.n_nodes;
          const Number *const values =
            teams.values + (cell.batch * 32 + cell.lane - (active ? slot : 0)) *
                             teams.places.n_stored;
          Number u[m], r[m];
          TESSERA_UNROLL
          for (int c = 0; c < m; ++c)
            {
              u[c] = teams.diagonal ? Number(0) : read_only(apply.x + node + c);
              r[c] = Number(0);
            }
          if (!pairs)
            {
              TESSERA_UNROLL
              for (int c = 0; c < m; ++c)
                all_u[thread * m + c] = u[c];
              device::barrier();
              if (active && teams.diagonal)
                {
                  TESSERA_UNROLL
                  for (int c = 0; c < m; ++c)
                    r[c] = values[((c * nn + k) * m + c) * n_cells * nn +
                                  slot * nn + k];
                }
              else if (active)
                add_rows<m>(values + slot * nn + k, n_cells * nn, nn,
                            all_u + (thread - k) * m, r);
            }
          else
            {
              const Number *block = values + slot * nn + k;
              if (active)
                {
                  TESSERA_UNROLL
                  for (int c = 0; c < m; ++c)
                    {
                      TESSERA_UNROLL
                      for (int d = c; d < m; ++d)
                        {
                          const Number a =
                            block[local_entry(true, m, c, d) * n_cells * nn];
                          if (teams.diagonal)
                            r[c] = d == c ? a : r[c];
                          else
                            {
                              r[c] += a * u[d];
                              if (d > c)
                                r[d] += a * u[c];
                            }
                        }
                    }
                }
              if (!in_warp)
                {
                  all_nodes[thread] = node;
                  device::barrier();
                }
              const int n_rounds = teams.diagonal ? 0 : rounds.n_rounds();
              const int step     = n_cells * rounds.n_pairs();
              const Number *tile = values + m * (m + 1) / 2 * n_cells * nn +
                                   slot * rounds.n_pairs();
              Opponent opponent(rounds, k);
              TESSERA_UNROLL_BY(4)
              for (int round = 0; round < n_rounds; ++round)
                {
                  // Threads beyond the last cell shuffle too.
                  const int from  = thread - k + opponent.node;
                  const int other = in_warp ? device::shuffle(node, from % 32)
                                            : all_nodes[active ? from : thread];
                  if (active && opponent.node != k)
                    {
                      const Number *const block = tile + opponent.pair;
                      Number v[m];
                      TESSERA_UNROLL
                      for (int d = 0; d < m; ++d)
                        v[d] = read_only(apply.x + other + d);
                      TESSERA_UNROLL
                      for (int c = 0; c < m; ++c)
                        {
                          TESSERA_UNROLL
                          for (int d = 0; d < m; ++d)
                            {
                              const Number a = block[(c * m + d) * step];
                              if (k < opponent.node)
                                r[c] += a * v[d];
                              else
                                r[d] += a * v[c];
                            }
                        }
                    }
                  tile += m * m * step;
                  opponent.next(round + 1);
                }
            }
          const auto add_all = [&]() {
            TESSERA_UNROLL
            for (int c = 0; c < m; ++c)
              if (atomics)
                device::atomic_add(apply.y + node + c, r[c]);
              else
                apply.y[node + c] += r[c];
          };
          if (active)
            {
              TESSERA_UNROLL
              for (int c = 0; c < m; ++c)
                product += u[c] * r[c];
            }
          if (atomics && active)
            add_all();
          if (!atomics)
            {
              const int mine = cell.load(apply.cells.cell_color, 1, 0);
              TESSERA_ROLLED
              for (int color = 0; color < apply.cells.n_cell_colors; ++color)
                {
                  if (active && color == mine)
                    add_all();
                  device::barrier();
                }
            }
          if (!in_warp || !pairs)
            device::barrier(); // before shared memory is written again
        }
      if (apply.sum.result != nullptr)
        device::leave_sum<team_block>(
          product, apply.blocks.first + device::block_index(), apply.sum);
    }

    template <bool pairs, class Number>
    void
    launch_teams(const CellApply<Number> &apply,
                 const TeamValues<Number> &teams, const Stream stream)
    {
      const auto run = [&](const auto kernel) {
        launch(kernel, {apply.blocks.n_blocks, team_block}, stream, apply,
               teams);
      };
      if (teams.places.n_components == 1)
        run(multiply_teams<pairs, 1, Number>);
      else if (teams.places.n_components == 2)
        run(multiply_teams<pairs, 2, Number>);
      else
        run(multiply_teams<pairs, 3, Number>);
    }
  } // namespace

  template <class Number>
  void
  apply_teams(const CellApply<Number> &apply, const TeamValues<Number> &teams,
              const Stream stream)
  {
    if (teams.places.layout == CellLayout::pairs)
      launch_teams<true>(apply, teams, stream);
    else
      launch_teams<false>(apply, teams, stream);
  }

  template void
  apply_teams(const CellApply<double> &, const TeamValues<double> &, Stream);
  template void
  apply_teams(const CellApply<float> &, const TeamValues<float> &, Stream);

  template void
  for_each_on_device(std::int64_t, const PackCells<double> &, Stream);
  template void
  for_each_on_device(std::int64_t, const PackCells<float> &, Stream);
} // namespace tessera
