#pragma once

#include <tessera/space/device_cells.cuh>
#include <tessera/space/reference_element.h>

// On the device, a team of (p+1)^2 threads works on a hexahedron. Each thread
// has a line of nodes (i0, i1, all i2), later a line of direction 1, (i0, all,
// i1), and at last a line of points (all q0, i0, i1). Sums go along a thread's
// line, in registers; between two of them the team leaves its lines in shared
// memory. A thread block works through the 128 cells of a block of cells,
// `lanes` cells at a time; neighbouring threads have neighbouring cells.
namespace tessera
{
  template <class E>
  struct TeamShape
  {
    static constexpr int n       = E::n1;
    static constexpr int members = n * n;
    static constexpr int lanes   = n == 2 ? 32 : n == 5 ? 8 : 16;
    static constexpr int threads = (members * lanes + 31) / 32 * 32;
    static constexpr int fields  = 3; ///< a function or its derivatives
    static constexpr int sharers = 1; ///< threads on a line of points
  };

  /// The shared memory of a thread block: fields at the nodes or points,
  /// the map, and the one-dimensional tables.
  template <class E, class Number, class Shape = TeamShape<E>>
  struct TeamMemory
  {
    static constexpr int lanes = Shape::lanes;
    Number field[Shape::fields][E::n][lanes];
    Number map[n_map_entries][3][lanes];
    Number values[E::n1][E::n1], gradients[E::n1][E::n1];
  };

  /// One thread of the team of a cell. All functions are collective over the
  /// block. Threads in excess of the teams have the lines of the last member
  /// of a team, or of the next one if several share a line; they write nothing
  /// here.
  template <class E, bool stored, class Number, class Shape = TeamShape<E>>
  struct TeamMember
  {
    using Memory             = TeamMemory<E, Number, Shape>;
    static constexpr int n   = E::n1;
    static constexpr int nn  = n * n;
    static constexpr int dim = 3;

    Memory &memory;
    const ReferenceElement<E, Number> &element;
    int lane, i0, i1;
    bool active;

    TESSERA_DEVICE
    TeamMember(Memory &memory, const ReferenceElement<E, Number> &element)
      : memory(memory), element(element)
    {
      const int thread = device::thread_index();
      int member       = thread / Shape::lanes;
      lane             = thread % Shape::lanes;
      active           = member < Shape::members;
      member           = active               ? member
                         : Shape::sharers > 1 ? member % Shape::members
                                              : Shape::members - 1;
      i0               = member % n;
      i1               = member / n;
      if (active && lane == 0)
        {
          memory.values[i1][i0]    = element.values[i1][i0];
          memory.gradients[i1][i0] = element.gradients[i1][i0];
        }
      device::barrier();
    }

    /// Returns the number of node i2 on the thread's line.
    TESSERA_DEVICE int
    node(const int i2) const
    {
      return i2 * nn + i1 * n + i0;
    }

    /// Returns the number of point q0 on the thread's line.
    TESSERA_DEVICE int
    point(const int q0) const
    {
      return (i1 * n + i0) * n + q0;
    }

    /// Calls `work(cell)` for this thread's cell in each pass over the cells of
    /// the thread block.
    template <class Work>
    TESSERA_DEVICE void
    for_each_cell(const CellView<Number> &view, const BlockList &list,
                  const Work &work) const
    {
      TESSERA_ROLLED
      for (int first = 0; first < CellData<Number>::device_threads;
           first += Shape::lanes)
        work(cell_of_block(view, list, first + lane));
    }

    /// Calls `work(jacobian)`, where jacobian(q0, j) sets j to the Jacobian at
    /// point q0 of the thread's line. It is computed from the vertices or read
    /// from stored Jacobians.
    template <class Work>
    TESSERA_DEVICE void
    with_jacobians(const DeviceCell<Number> &cell, const CellView<Number> &view,
                   const Work &work) const
    {
      if constexpr (stored)
        {
          const Number *mine =
            view.jacobians + cell.place(view.n_jacobian_entries, 0);
          work([&](const int q0, Number(&j)[3][3]) {
            const int first = point(q0) * view.jacobian_point_stride;
            TESSERA_UNROLL
            for (int k = 0; k < 9; ++k)
              j[k / 3][k % 3] =
                read_only(mine + (first + k) * DeviceCell<Number>::lanes);
          });
        }
      else
        {
          device::barrier();
          if (const int d = i1 * n + i0; active && d < 3)
            {
              Number f[n_map_entries];
              cell.trilinear_map(view, d, f);
              TESSERA_UNROLL
              for (int e = 0; e < n_map_entries; ++e)
                memory.map[e][d][lane] = f[e];
            }
          device::barrier();
          const TrilinearRow<Number> row(element.points[i0], element.points[i1],
                                         [this](const int e, const int k) {
                                           return memory.map[e][k][lane];
                                         });
          work([&](const int q0, Number(&j)[3][3]) {
            row.jacobian(element.points[q0], j);
          });
        }
    }

    TESSERA_DEVICE Number
    weight(const int q0) const
    {
      return element.weights[i0] * element.weights[i1] * element.weights[q0];
    }

    /// Computes the values and the reference gradients of component c,
    /// at[q0].value[c] and at[q0].gradient[c], on the line of points from the
    /// values u[i2] on the line of nodes; only what the flags ask for.
    template <bool values, bool gradients, class Values>
    TESSERA_DEVICE void
    evaluate(const Number (&u)[n], const int component, Values (&at)[n]) const
    {
      Number a[n], b[n], c[n];
      device::barrier();
      along(element.values, u, a);
      store(
        0, [this](const int i) { return node(i); }, a);
      if constexpr (gradients)
        {
          along(element.gradients, u, b);
          store(
            1, [this](const int i) { return node(i); }, b);
        }
      device::barrier();
      const auto on_column = [this](const int i) {
        return i1 * nn + i * n + i0;
      };
      Number value[n];
      load(0, on_column, value);
      along(element.values, value, a);
      if constexpr (gradients)
        {
          Number slope[n];
          load(1, on_column, slope);
          along(element.gradients, value, b);
          along(element.values, slope, c);
          store(2, on_column, b);
          store(1, on_column, c);
        }
      store(0, on_column, a);
      device::barrier();
      const auto on_line = [this](const int q0) { return point(q0); };
      load(0, on_line, a);
      if constexpr (gradients)
        {
          load(2, on_line, b);
          load(1, on_line, c);
        }
      TESSERA_UNROLL
      for (int q0 = 0; q0 < n; ++q0)
        {
          if constexpr (gradients)
            {
              Number(&g)[3] = at[q0].gradient[component];
              g[0] = g[1] = g[2] = Number(0);
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                {
                  g[0] += element.gradients[i][q0] * a[i];
                  g[1] += element.values[i][q0] * b[i];
                  g[2] += element.values[i][q0] * c[i];
                }
            }
          if constexpr (values)
            {
              Number &sum = at[q0].value[component];
              sum         = Number(0);
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                sum += element.values[i][q0] * a[i];
            }
        }
    }

    /// Tests component c of what is given on the line of points by the shape
    /// functions: r_j = sum_q phi_j at[q].value[c] + grad phi_j .
    /// at[q].gradient[c] for the nodes j on the line; only what the flags ask
    /// for.
    template <bool values, bool gradients, class Values>
    TESSERA_DEVICE void
    integrate(const Values (&at)[n], const int component, Number (&r)[n]) const
    {
      Number a[n], b[n], c[n];
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        {
          a[i] = b[i] = c[i] = Number(0);
          TESSERA_UNROLL
          for (int q0 = 0; q0 < n; ++q0)
            {
              if constexpr (gradients)
                {
                  const Number(&flux)[3] = at[q0].gradient[component];
                  a[i] += element.gradients[i][q0] * flux[0];
                  b[i] += element.values[i][q0] * flux[1];
                  c[i] += element.values[i][q0] * flux[2];
                }
              if constexpr (values)
                a[i] += element.values[i][q0] * at[q0].value[component];
            }
        }
      const auto on_line = [this](const int q0) { return point(q0); };
      device::barrier();
      store(0, on_line, a);
      if constexpr (gradients)
        {
          store(2, on_line, b);
          store(1, on_line, c);
        }
      device::barrier();
      const auto on_column = [this](const int i) {
        return i1 * nn + i * n + i0;
      };
      Number value[n] = {}, slope[n] = {};
      load(0, on_column, a);
      test(element.values, a, value);
      if constexpr (gradients)
        {
          load(2, on_column, b);
          load(1, on_column, c);
          test(element.gradients, b, value);
          test(element.values, c, slope);
          store(1, on_column, slope);
        }
      store(0, on_column, value);
      device::barrier();
      const auto on_nodes = [this](const int i) { return node(i); };
      TESSERA_UNROLL
      for (int i2 = 0; i2 < n; ++i2)
        r[i2] = Number(0);
      load(0, on_nodes, a);
      test(element.values, a, r);
      if constexpr (gradients)
        {
          load(1, on_nodes, b);
          test(element.gradients, b, r);
        }
    }

  private:
    /// Sums up along a line: to_q = sum_i table[i][q] from_i.
    TESSERA_DEVICE static void
    along(const Number (&table)[n][n], const Number (&from)[n], Number (&to)[n])
    {
      TESSERA_UNROLL
      for (int q = 0; q < n; ++q)
        {
          to[q] = Number(0);
          TESSERA_UNROLL
          for (int i = 0; i < n; ++i)
            to[q] += table[i][q] * from[i];
        }
    }

    /// Adds to_i += sum_q table[i][q] from_q.
    TESSERA_DEVICE static void
    test(const Number (&table)[n][n], const Number (&from)[n], Number (&to)[n])
    {
      TESSERA_UNROLL
      for (int q = 0; q < n; ++q)
        TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        to[i] += table[i][q] * from[q];
    }

    template <class Place>
    TESSERA_DEVICE void
    load(const int which, const Place &place, Number (&line)[n]) const
    {
      // Threads in excess of the teams must not read what a member replaces.
      constexpr bool all = Shape::members * Shape::lanes == Shape::threads;
      TESSERA_UNROLL
      for (int i = 0; i < n; ++i)
        line[i] =
          all || active ? memory.field[which][place(i)][lane] : Number(0);
    }

    template <class Place>
    TESSERA_DEVICE void
    store(const int which, const Place &place, const Number (&line)[n]) const
    {
      TESSERA_UNROLL
      for (int i = 0; active && i < n; ++i)
        memory.field[which][place(i)][lane] = line[i];
    }
  };
} // namespace tessera
