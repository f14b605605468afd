#pragma once

#include <tessera/space/host_cells.h>

#include <tessera/space/cell_apply.h>

// This header defines how the host reads from vectors and adds to them at the
// nodes of a batch of cells, one cell per lane.
namespace tessera
{
  /// Adds r to y at the nodes of the cells of a batch. Lanes are added one
  /// after another, because cells of a batch may share entries.
  template <int n_components = 1, int n, class Cells, class Number>
  TESSERA_HOST void
  scatter(const Cells &batch, const CellApply<Number> &apply,
          const typename Cells::Value (&r)[n])
  {
    constexpr int n_nodes = n / n_components;
    for (int i = 0; i < n; ++i)
      {
        const int *dofs = apply.cells.dofs + batch.place(n_nodes, i % n_nodes);
        Number *const y = apply.y + i / n_nodes;
        if (apply.conflict == Conflict::atomics)
          for (int lane = 0; lane < Cells::lanes; ++lane)
            {
              const Number value = r[i][lane];
#pragma omp atomic
              y[n_components * dofs[lane]] += value;
            }
        else
          {
            TESSERA_UNROLL
            for (int lane = 0; lane < Cells::lanes; ++lane)
              y[n_components * dofs[lane]] += r[i][lane];
          }
      }
  }

  /// Returns x_e . r_e, summed over the cells of a batch.
  template <int n, class Values, class T>
  TESSERA_HOST auto
  energy(const Values &u, const T (&r)[n])
  {
    T product = u[0] * r[0];
    for (int i = 1; i < n; ++i)
      product += u[i] * r[i];
    auto sum = product[0];
    for (int lane = 1; lane < T::lanes; ++lane)
      sum += product[lane];
    return sum;
  }
} // namespace tessera
