#pragma once

#include <tessera/space/device_cells.cuh>
#include <tessera/space/reference_element.h>

// On the device, a team of (p+1)^2 threads works on a hexahedron. Each thread
// has a line of nodes (i0, i1, all i2) or of points (q0, q1, all q2). Sums over
// directions 0 and 1 go through shared memory, sums over direction 2 stay in
// registers. A thread block works through the 128 cells of a block of cells,
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
  };

  /// The shared memory of a thread block: three fields at the nodes or points,
  /// the vertices, and the one-dimensional tables.
  template <class E, class Number>
  struct TeamMemory
  {
    static constexpr int lanes = TeamShape<E>::lanes;
    Number field[3][E::n][lanes];
    Number corner[8][3][lanes];
    Number values[E::n1][E::n1], gradients[E::n1][E::n1];
  };

  /// One thread of the team of a cell. All functions are collective over the
  /// block. Threads in excess of the teams do the same as the last member of a
  /// team and write nothing.
  template <class E, bool stored, class Number>
  struct TeamMember
  {
    using Shape              = TeamShape<E>;
    using Memory             = TeamMemory<E, Number>;
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
      member           = active ? member : Shape::members - 1;
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

    /// Calls `work(jacobian)`, where jacobian(q2, j) sets j to the Jacobian at
    /// point q2 of the line (i0, i1). It is computed from the vertices or read
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
          work([&](const int q2, Number(&j)[3][3]) {
            const int first = node(q2) * view.jacobian_point_stride;
            TESSERA_UNROLL
            for (int k = 0; k < 9; ++k)
              j[k / 3][k % 3] =
                read_only(mine + (first + k) * DeviceCell<Number>::lanes);
          });
        }
      else
        {
          device::barrier();
          for (int v = i1 * n + i0; active && v < 8; v += Shape::members)
            {
              Number x[3];
              cell.template vertex<8>(view, v, x);
              TESSERA_UNROLL
              for (int d = 0; d < 3; ++d)
                memory.corner[v][d][lane] = x[d];
            }
          device::barrier();
          const TrilinearLine<Number> line(element.points[i0],
                                           element.points[i1],
                                           [this](const int v, const int k) {
                                             return memory.corner[v][k][lane];
                                           });
          work([&](const int q2, Number(&j)[3][3]) {
            line.jacobian(element.points[q2], j);
          });
        }
    }

    TESSERA_DEVICE Number
    weight(const int q2) const
    {
      return element.weights[i0] * element.weights[i1] * element.weights[q2];
    }

    /// Computes the values and the reference gradients of component c,
    /// at[q2].value[c] and at[q2].gradient[c], on the line of points from the
    /// values u[i2] on the line of nodes; only what the flags ask for.
    template <bool values, bool gradients, class Values>
    TESSERA_DEVICE void
    evaluate(const Number (&u)[n], const int component, Values (&at)[n]) const
    {
      Number a[n], b[n], c[n];
      device::barrier();
      store(0, u);
      device::barrier();
      TESSERA_UNROLL
      for (int i2 = 0; i2 < n; ++i2)
        {
          a[i2] = b[i2] = Number(0);
          TESSERA_UNROLL
          for (int k = 0; k < n; ++k)
            {
              const Number value = memory.field[0][i2 * nn + i1 * n + k][lane];
              a[i2] += memory.values[k][i0] * value;
              if constexpr (gradients)
                b[i2] += memory.gradients[k][i0] * value;
            }
        }
      store(1, a);
      if constexpr (gradients)
        store(2, b);
      device::barrier();
      TESSERA_UNROLL
      for (int i2 = 0; i2 < n; ++i2)
        {
          a[i2] = b[i2] = c[i2] = Number(0);
          TESSERA_UNROLL
          for (int k = 0; k < n; ++k)
            {
              const Number value = memory.field[1][i2 * nn + k * n + i0][lane];
              if constexpr (gradients)
                {
                  const Number slope =
                    memory.field[2][i2 * nn + k * n + i0][lane];
                  a[i2] += memory.values[k][i1] * slope;
                  b[i2] += memory.gradients[k][i1] * value;
                }
              c[i2] += memory.values[k][i1] * value;
            }
        }
      TESSERA_UNROLL
      for (int q2 = 0; q2 < n; ++q2)
        {
          if constexpr (gradients)
            {
              Number(&g)[3] = at[q2].gradient[component];
              g[0] = g[1] = g[2] = Number(0);
              TESSERA_UNROLL
              for (int i2 = 0; i2 < n; ++i2)
                {
                  g[0] += element.values[i2][q2] * a[i2];
                  g[1] += element.values[i2][q2] * b[i2];
                  g[2] += element.gradients[i2][q2] * c[i2];
                }
            }
          if constexpr (values)
            {
              Number &value = at[q2].value[component];
              value         = Number(0);
              TESSERA_UNROLL
              for (int i2 = 0; i2 < n; ++i2)
                value += element.values[i2][q2] * c[i2];
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
      for (int j2 = 0; j2 < n; ++j2)
        {
          a[j2] = b[j2] = c[j2] = Number(0);
          TESSERA_UNROLL
          for (int q2 = 0; q2 < n; ++q2)
            {
              if constexpr (gradients)
                {
                  const Number(&flux)[3] = at[q2].gradient[component];
                  a[j2] += element.values[j2][q2] * flux[0];
                  b[j2] += element.values[j2][q2] * flux[1];
                  c[j2] += element.gradients[j2][q2] * flux[2];
                }
              if constexpr (values)
                c[j2] += element.values[j2][q2] * at[q2].value[component];
            }
        }
      device::barrier();
      if constexpr (gradients)
        {
          store(0, a);
          store(1, b);
        }
      store(2, c);
      device::barrier();
      TESSERA_UNROLL
      for (int j2 = 0; j2 < n; ++j2)
        {
          a[j2] = b[j2] = Number(0);
          TESSERA_UNROLL
          for (int k = 0; k < n; ++k)
            {
              const int at_k = j2 * nn + k * n + i0;
              if constexpr (gradients)
                {
                  a[j2] += memory.values[i1][k] * memory.field[0][at_k][lane];
                  b[j2] +=
                    memory.gradients[i1][k] * memory.field[1][at_k][lane] +
                    memory.values[i1][k] * memory.field[2][at_k][lane];
                }
              else
                b[j2] += memory.values[i1][k] * memory.field[2][at_k][lane];
            }
        }
      if constexpr (gradients)
        {
          device::barrier();
          store(0, a);
        }
      store(1, b);
      device::barrier();
      TESSERA_UNROLL
      for (int j2 = 0; j2 < n; ++j2)
        {
          r[j2] = Number(0);
          TESSERA_UNROLL
          for (int k = 0; k < n; ++k)
            {
              const int at_k = j2 * nn + i1 * n + k;
              if constexpr (gradients)
                r[j2] += memory.gradients[i0][k] * memory.field[0][at_k][lane] +
                         memory.values[i0][k] * memory.field[1][at_k][lane];
              else
                r[j2] += memory.values[i0][k] * memory.field[1][at_k][lane];
            }
        }
    }

  private:
    TESSERA_DEVICE void
    store(const int which, const Number (&line)[n]) const
    {
      TESSERA_UNROLL
      for (int i2 = 0; active && i2 < n; ++i2)
        memory.field[which][node(i2)][lane] = line[i2];
    }
  };
} // namespace tessera
