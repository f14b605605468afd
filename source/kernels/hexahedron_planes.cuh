#pragma once

#include <tessera/forms/flux_form.h>
#include <tessera/space/device_cells.cuh>
#include <tessera/space/reference_element.h>

#include "../operators/tuning.h"
#include "hexahedron_map.cuh"

// y_e = K_e x_e of a form of gradients on a hexahedron, for p + 1 threads that
// share the cell, in three passes. Each thread has one row of lines of nodes in
// direction 2, (i0, i1 = member, all i2), and later one plane of points,
// (q0, q1, q2 = member). The first pass goes along the lines, from u to u and
// its derivative in direction 2 on all planes of points; the second one puts
// what tests them in their place, plane by plane; the last one goes back along
// the lines. In between, the values stand in shared memory, [node or point]
// [lane], and a lane of the warps is a cell.
namespace tessera
{
  template <class E>
  struct PlaneShape
  {
    static constexpr int lanes   = 32; ///< cells at a time
    static constexpr int members = E::n1;
    static constexpr int threads = members * lanes;
  };

  /// Derivatives in direction 1, where planes turn.
  template <class E, class Number, int n_components,
            bool turns = tuning::planes_turn<E, n_components>>
  struct TurnedPlanes
  {
    Number others[n_components][E::n][PlaneShape<E>::lanes];
  };

  template <class E, class Number, int n_components>
  struct TurnedPlanes<E, Number, n_components, false>
  {};

  /// The shared memory of a block.
  template <class E, CellMap map_kind, class Number, int n_components>
  struct PlaneMemory : TurnedPlanes<E, Number, n_components>
  {
    static constexpr int lanes = PlaneShape<E>::lanes;
    static constexpr int n_map = map_kind == CellMap::trilinear
                                   ? 3 * n_map_entries
                                 : map_kind == CellMap::linear ? n_symmetric(3)
                                                               : 1;
    Number values[n_components][E::n][lanes], slopes[n_components][E::n][lanes];
    Number map[n_map][lanes];
  };

  /// One thread of a cell.
  template <class E, CellMap map_kind, class Number, int n_components>
  struct PlaneMember
  {
    using Memory            = PlaneMemory<E, map_kind, Number, n_components>;
    static constexpr int n  = E::n1;
    static constexpr int nn = n * n;
    static constexpr bool turns = tuning::planes_turn<E, n_components>;

    Memory &memory;
    const ReferenceElement<E, Number> &element;
    const CellView<Number> &view;
    int member, lane;

    TESSERA_DEVICE
    PlaneMember(Memory &memory, const ReferenceElement<E, Number> &element,
                const CellView<Number> &view)
      : memory(memory), element(element), view(view),
        member(device::thread_index() / Memory::lanes),
        lane(device::thread_index() % Memory::lanes)
    {}

    /// The number of node i2 on line i0 of the thread's row.
    TESSERA_DEVICE int
    node(const int i0, const int i2) const
    {
      return i2 * nn + member * n + i0;
    }

    /// Starts to copy x at the nodes of the thread's row to their places.
    TESSERA_DEVICE void
    start_values(const DeviceCell<Number> &cell, const Number *const x) const
    {
      TESSERA_UNROLL
      for (int i0 = 0; i0 < n; ++i0)
        TESSERA_UNROLL
      for (int i2 = 0; i2 < n; ++i2)
        {
          const Number *const from =
            x + n_components * cell.load(view.dofs, E::n, node(i0, i2));
          TESSERA_UNROLL
          for (int c = 0; c < n_components; ++c)
            device::copy_async(&memory.values[c][node(i0, i2)][lane], from + c);
        }
    }

    /// Sets the map from the vertices; the first threads of the cell share the
    /// coordinates.
    TESSERA_DEVICE void
    make_map(const DeviceCell<Number> &cell) const
    {
      if constexpr (map_kind == CellMap::trilinear)
        for (int d = member; d < 3; d += n)
          {
            Number f[n_map_entries];
            cell.trilinear_map(view, d, f);
            TESSERA_UNROLL
            for (int e = 0; e < n_map_entries; ++e)
              memory.map[3 * e + d][lane] = f[e];
          }
    }

    /// The first pass.
    TESSERA_DEVICE void
    lines_to_planes() const
    {
      TESSERA_ROLLED
      for (int c = 0; c < n_components; ++c)
        TESSERA_ROLLED
      for (int i0 = 0; i0 < n; ++i0)
        {
          Number u[n];
          TESSERA_UNROLL
          for (int i = 0; i < n; ++i)
            u[i] = memory.values[c][node(i0, i)][lane];
          TESSERA_UNROLL
          for (int q = 0; q < n; ++q)
            {
              Number value = Number(0), slope = Number(0);
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                {
                  value += element.values[i][q] * u[i];
                  slope += element.gradients[i][q] * u[i];
                }
              memory.values[c][node(i0, q)][lane] = value;
              memory.slopes[c][node(i0, q)][lane] = slope;
            }
        }
    }

    /// The second pass, on this thread's plane: derivatives in the plane, the
    /// flux at the points line by line, and its tests in the plane. Either the
    /// plane turns from nodes to points in direction 1 before, and back after,
    /// with one more field in shared memory; or values of the plane are read
    /// once more for every line, and tests are summed up in registers.
    /// `flux.numbers(q1)` reads what is needed early, `flux.line(q1, numbers)`
    /// gives what is the same on a line of points, and its (q0, g, f) sets f to
    /// the flux of the gradients g.
    template <class Flux>
    TESSERA_DEVICE void
    work_plane(const Flux &flux) const
    {
      constexpr int n_sums = turns ? 1 : nn;
      Number sum[n_components][n_sums];
      TESSERA_UNROLL
      for (int c = 0; c < n_components; ++c)
        TESSERA_UNROLL
      for (int i = 0; i < n_sums; ++i)
        sum[c][i] = Number(0);
      turn<false>();
      TESSERA_ROLLED
      for (int q1 = 0; q1 < n; ++q1)
        {
          const auto numbers = flux.numbers(q1);
          int at             = lane;
          forget(at);
          Number g[n][n_components][3];
          TESSERA_UNROLL
          for (int c = 0; c < n_components; ++c)
            gradients_on_line(c, q1, at, g);
          device::warp_barrier();
          const auto of_line = flux.line(q1, numbers);
          TESSERA_UNROLL
          for (int q0 = 0; q0 < n; ++q0)
            {
              Number f[n_components][3];
              of_line(q0, g[q0], f);
              TESSERA_UNROLL
              for (int c = 0; c < n_components; ++c)
                TESSERA_UNROLL
              for (int d = 0; d < 3; ++d)
                g[q0][c][d] = f[c][d];
            }
          TESSERA_UNROLL
          for (int c = 0; c < n_components; ++c)
            test_line(c, q1, g, sum[c]);
        }
      turn<true>();
      if constexpr (!turns)
        {
          TESSERA_UNROLL
          for (int c = 0; c < n_components; ++c)
            TESSERA_UNROLL
          for (int i = 0; i < nn; ++i)
            memory.values[c][place(0, i)][lane] = sum[c][i];
        }
    }

    /// The last pass: component c of r on one line of nodes.
    TESSERA_DEVICE void
    planes_to_line(const int c, const int i0, Number (&r)[n]) const
    {
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        r[i] = Number(0);
      TESSERA_UNROLL
      for (int q = 0; q < n; ++q)
        {
          const Number value = memory.values[c][node(i0, q)][lane];
          const Number slope = memory.slopes[c][node(i0, q)][lane];
          TESSERA_UNROLL
          for (int i = 0; i < n; ++i)
            {
              r[i] += element.values[i][q] * value;
              r[i] += element.gradients[i][q] * slope;
            }
        }
    }

  private:
    /// A place of this thread's plane.
    TESSERA_DEVICE int
    place(const int i1, const int i0) const
    {
      return member * nn + i1 * n + i0;
    }

    /// Sets g to the gradients of component c on a line of points.
    TESSERA_DEVICE void
    gradients_on_line(const int c, const int q1, const int at,
                      Number (&g)[n][n_components][3]) const
    {
      Number line[3][n];
      TESSERA_UNROLL
      for (int i0 = 0; i0 < n; ++i0)
        {
          line[2][i0] = memory.slopes[c][place(q1, i0)][at];
          if constexpr (turns)
            {
              line[0][i0] = memory.values[c][place(q1, i0)][at];
              line[1][i0] = memory.others[c][place(q1, i0)][at];
            }
          else
            {
              line[0][i0] = line[1][i0] = Number(0);
              TESSERA_UNROLL
              for (int i1 = 0; i1 < n; ++i1)
                {
                  const Number value = memory.values[c][place(i1, i0)][at];
                  line[0][i0] += element.values[i1][q1] * value;
                  line[1][i0] += element.gradients[i1][q1] * value;
                }
            }
        }
      TESSERA_UNROLL
      for (int q0 = 0; q0 < n; ++q0)
        {
          Number(&to)[3] = g[q0][c];
          to[0] = to[1] = to[2] = Number(0);
          TESSERA_UNROLL
          for (int i0 = 0; i0 < n; ++i0)
            {
              to[0] += element.gradients[i0][q0] * line[0][i0];
              to[1] += element.values[i0][q0] * line[1][i0];
              to[2] += element.values[i0][q0] * line[2][i0];
            }
        }
    }

    /// Tests the fluxes f of component c on a line of points. Where planes do
    /// not turn, directions 0 and 1 go into `sum`.
    template <int n_sums>
    TESSERA_DEVICE void
    test_line(const int c, const int q1, const Number (&f)[n][n_components][3],
              Number (&sum)[n_sums]) const
    {
      TESSERA_UNROLL
      for (int i0 = 0; i0 < n; ++i0)
        {
          Number line[3] = {};
          TESSERA_UNROLL
          for (int q0 = 0; q0 < n; ++q0)
            {
              line[0] += element.gradients[i0][q0] * f[q0][c][0];
              line[1] += element.values[i0][q0] * f[q0][c][1];
              line[2] += element.values[i0][q0] * f[q0][c][2];
            }
          memory.slopes[c][place(q1, i0)][lane] = line[2];
          if constexpr (turns)
            {
              memory.values[c][place(q1, i0)][lane] = line[0];
              memory.others[c][place(q1, i0)][lane] = line[1];
            }
          else
            {
              TESSERA_UNROLL
              for (int i1 = 0; i1 < n; ++i1)
                {
                  sum[i1 * n + i0] += element.values[i1][q1] * line[0];
                  sum[i1 * n + i0] += element.gradients[i1][q1] * line[1];
                }
            }
        }
    }

    /// Takes derivatives in direction 2, and values where planes turn, from
    /// nodes to points in direction 1, or tests them (`back`).
    template <bool back>
    TESSERA_DEVICE void
    turn() const
    {
      TESSERA_ROLLED
      for (int c = 0; c < n_components; ++c)
        TESSERA_UNROLL
      for (int i0 = 0; i0 < n; ++i0)
        {
          Number sum[n] = {};
          sum_column<back>(element.values, memory.slopes[c], i0, sum);
          store_column(memory.slopes[c], i0, sum);
          if constexpr (turns)
            {
              Number value[n] = {}, slope[n] = {};
              sum_column<back>(element.values, memory.values[c], i0, value);
              if constexpr (back)
                sum_column<back>(element.gradients, memory.others[c], i0,
                                 value);
              else
                {
                  sum_column<back>(element.gradients, memory.values[c], i0,
                                   slope);
                  store_column(memory.others[c], i0, slope);
                }
              store_column(memory.values[c], i0, value);
            }
        }
    }

    /// Adds the sums of a field over column i0 of the plane by a table.
    template <bool back>
    TESSERA_DEVICE void
    sum_column(const Number (&table)[n][n],
               const Number (&field)[E::n][Memory::lanes], const int i0,
               Number (&sum)[n]) const
    {
      Number column[n];
      TESSERA_UNROLL
      for (int k = 0; k < n; ++k)
        column[k] = field[place(k, i0)][lane];
      TESSERA_UNROLL
      for (int q = 0; q < n; ++q)
        TESSERA_UNROLL
      for (int k = 0; k < n; ++k)
        sum[q] += (back ? table[q][k] : table[k][q]) * column[k];
    }

    TESSERA_DEVICE void
    store_column(Number (&field)[E::n][Memory::lanes], const int i0,
                 const Number (&column)[n]) const
    {
      TESSERA_UNROLL
      for (int q = 0; q < n; ++q)
        field[place(q, i0)][lane] = column[q];
    }
  };
} // namespace tessera
