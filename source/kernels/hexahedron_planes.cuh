#pragma once

#include <tessera/forms/flux_form.h>
#include <tessera/space/device_cells.cuh>

#include "plane_memory.cuh"

// y_e = K_e x_e of a form of gradients on a hexahedron, for p + 1 threads that
// share the cell, in three passes. Each thread has one row of lines of nodes in
// direction 2, (i0, i1 = member, all i2), and later one plane of points,
// (q0, q1, q2 = member). The first pass goes along the lines, from u to u and
// its derivative in direction 2 on all planes of points; the second one puts
// what tests them in their place, plane by plane; the last one goes back along
// the lines. Before values along a line are summed up they become a polynomial
// (PolynomialLine): in directions 0 and 2 in the first pass, in direction 1 in
// the second one. In between, the values stand in shared memory, [node, power
// or point][lane], and a lane of the warps is a cell.
namespace tessera
{
  /// One thread of a cell.
  template <class E, CellMap map_kind, class Number, int n_components>
  struct PlaneMember
  {
    using Memory            = PlaneMemory<E, map_kind, Number, n_components>;
    using Line              = PolynomialLine<E::n1, Number>;
    static constexpr int n  = E::n1;
    static constexpr int nn = n * n;
    static constexpr bool turns = tuning::planes_turn<E, n_components>;

    Memory &memory;
    const ReferenceElement<E, Number> &element; ///< `plane_element`
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
        {
          Number u[n][n]; // [i0][i2]
          TESSERA_UNROLL
          for (int i2 = 0; i2 < n; ++i2)
            {
              Number row[n];
              TESSERA_UNROLL
              for (int i0 = 0; i0 < n; ++i0)
                row[i0] = memory.values[c][node(i0, i2)][lane];
              Line::to_polynomial(row);
              TESSERA_UNROLL
              for (int i0 = 0; i0 < n; ++i0)
                u[i0][i2] = row[i0];
            }
          TESSERA_UNROLL
          for (int i0 = 0; i0 < n; ++i0)
            {
              Number at[n];
              Line::to_polynomial(u[i0]);
              Line::values(u[i0], at);
              TESSERA_UNROLL
              for (int q = 0; q < n; ++q)
                memory.values[c][node(i0, q)][lane] = at[q];
              Line::slopes(u[i0], at);
              TESSERA_UNROLL
              for (int q = 0; q < n; ++q)
                memory.slopes[c][node(i0, q)][lane] = at[q];
            }
        }
    }

    /// The second pass, on this thread's plane: derivatives in the plane, the
    /// flux at the points line by line, and its tests in the plane. Either the
    /// plane turns to points in direction 1 before, and back to nodes after,
    /// with one more field in shared memory; or polynomials are read once more
    /// for every line of points, and tests are summed up in registers.
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
      turn_to_points();
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
      turn_to_nodes();
      if constexpr (!turns)
        {
          TESSERA_UNROLL
          for (int c = 0; c < n_components; ++c)
            TESSERA_UNROLL
          for (int i0 = 0; i0 < n; ++i0)
            {
              Number column[n];
              TESSERA_UNROLL
              for (int k = 0; k < n; ++k)
                column[k] = sum[c][k * n + i0];
              Line::to_nodes(column);
              store_column(memory.values[c], i0, column);
            }
        }
    }

    /// The last pass: component c of r on the thread's row, [i0][i2].
    TESSERA_DEVICE void
    planes_to_row(const int c, Number (&r)[n][n]) const
    {
      TESSERA_UNROLL
      for (int i0 = 0; i0 < n; ++i0)
        {
          Number at[n], slope[n];
          TESSERA_UNROLL
          for (int q = 0; q < n; ++q)
            at[q] = memory.values[c][node(i0, q)][lane];
          Line::test_values(at, r[i0]);
          TESSERA_UNROLL
          for (int q = 0; q < n; ++q)
            at[q] = memory.slopes[c][node(i0, q)][lane];
          Line::test_slopes(at, slope);
          TESSERA_UNROLL
          for (int k = Line::n_constant; k < n; ++k)
            r[i0][k] += slope[k];
          Line::to_nodes(r[i0]);
        }
      TESSERA_UNROLL
      for (int i2 = 0; i2 < n; ++i2)
        {
          Number row[n];
          TESSERA_UNROLL
          for (int i0 = 0; i0 < n; ++i0)
            row[i0] = r[i0][i2];
          Line::to_nodes(row);
          TESSERA_UNROLL
          for (int i0 = 0; i0 < n; ++i0)
            r[i0][i2] = row[i0];
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
      for (int k0 = 0; k0 < n; ++k0)
        {
          line[2][k0] = memory.slopes[c][place(q1, k0)][at];
          if constexpr (turns)
            {
              line[0][k0] = memory.values[c][place(q1, k0)][at];
              line[1][k0] = memory.others[c][place(q1, k0)][at];
            }
          else
            {
              line[0][k0] = line[1][k0] = Number(0);
              TESSERA_UNROLL
              for (int k1 = 0; k1 < n; ++k1)
                {
                  const Number a = memory.values[c][place(k1, k0)][at];
                  if (k1 < Line::n_constant)
                    line[0][k0] = a;
                  else
                    {
                      line[0][k0] += element.values[k1][q1] * a;
                      line[1][k0] += element.gradients[k1][q1] * a;
                    }
                }
            }
        }
      Number points[3][n];
      Line::slopes(line[0], points[0]);
      Line::values(line[1], points[1]);
      Line::values(line[2], points[2]);
      TESSERA_UNROLL
      for (int q0 = 0; q0 < n; ++q0)
        TESSERA_UNROLL
      for (int d = 0; d < 3; ++d)
        g[q0][c][d] = points[d][q0];
    }

    /// Tests the fluxes f of component c on a line of points. Where planes do
    /// not turn, directions 0 and 1 go into `sum`.
    template <int n_sums>
    TESSERA_DEVICE void
    test_line(const int c, const int q1, const Number (&f)[n][n_components][3],
              Number (&sum)[n_sums]) const
    {
      Number line[3][n];
      TESSERA_UNROLL
      for (int d = 0; d < 3; ++d)
        {
          Number points[n];
          TESSERA_UNROLL
          for (int q0 = 0; q0 < n; ++q0)
            points[q0] = f[q0][c][d];
          if (d == 0)
            Line::test_slopes(points, line[d]);
          else
            Line::test_values(points, line[d]);
        }
      TESSERA_UNROLL
      for (int k0 = 0; k0 < n; ++k0)
        {
          memory.slopes[c][place(q1, k0)][lane] = line[2][k0];
          if constexpr (turns)
            {
              memory.values[c][place(q1, k0)][lane] = line[0][k0];
              memory.others[c][place(q1, k0)][lane] = line[1][k0];
            }
          else
            {
              TESSERA_UNROLL
              for (int k1 = 0; k1 < n; ++k1)
                {
                  Number &to = sum[k1 * n + k0];
                  if (k1 < Line::n_constant)
                    to += line[0][k0];
                  else
                    {
                      to += element.values[k1][q1] * line[0][k0];
                      to += element.gradients[k1][q1] * line[1][k0];
                    }
                }
            }
        }
    }

    /// Takes derivatives in direction 2, and values where planes turn, from
    /// nodes to points in direction 1; otherwise values become polynomials.
    TESSERA_DEVICE void
    turn_to_points() const
    {
      TESSERA_ROLLED
      for (int c = 0; c < n_components; ++c)
        TESSERA_UNROLL
      for (int k0 = 0; k0 < n; ++k0)
        {
          Number column[n], points[n];
          load_column(memory.slopes[c], k0, column);
          Line::to_polynomial(column);
          Line::values(column, points);
          store_column(memory.slopes[c], k0, points);
          load_column(memory.values[c], k0, column);
          Line::to_polynomial(column);
          if constexpr (turns)
            {
              Line::slopes(column, points);
              store_column(memory.others[c], k0, points);
              Line::values(column, points);
              store_column(memory.values[c], k0, points);
            }
          else
            store_column(memory.values[c], k0, column);
        }
    }

    /// The transpose, but that sums in registers are left out.
    TESSERA_DEVICE void
    turn_to_nodes() const
    {
      TESSERA_ROLLED
      for (int c = 0; c < n_components; ++c)
        TESSERA_UNROLL
      for (int k0 = 0; k0 < n; ++k0)
        {
          Number points[n], column[n];
          load_column(memory.slopes[c], k0, points);
          Line::test_values(points, column);
          Line::to_nodes(column);
          store_column(memory.slopes[c], k0, column);
          if constexpr (turns)
            {
              Number slopes[n];
              load_column(memory.values[c], k0, points);
              Line::test_values(points, column);
              load_column(memory.others[c], k0, points);
              Line::test_slopes(points, slopes);
              TESSERA_UNROLL
              for (int k = Line::n_constant; k < n; ++k)
                column[k] += slopes[k];
              Line::to_nodes(column);
              store_column(memory.values[c], k0, column);
            }
        }
    }

    TESSERA_DEVICE void
    load_column(const Number (&field)[E::n][Memory::lanes], const int k0,
                Number (&column)[n]) const
    {
      TESSERA_UNROLL
      for (int k = 0; k < n; ++k)
        column[k] = field[place(k, k0)][lane];
    }

    TESSERA_DEVICE void
    store_column(Number (&field)[E::n][Memory::lanes], const int k0,
                 const Number (&column)[n]) const
    {
      TESSERA_UNROLL
      for (int k = 0; k < n; ++k)
        field[place(k, k0)][lane] = column[k];
    }
  };
} // namespace tessera
