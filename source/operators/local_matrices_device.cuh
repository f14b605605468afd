#pragma once

#include <tessera/base/launch.h>
#include <tessera/space/device_scatter.cuh>

#include "local_matrices.cuh"
#include "local_tiles.cuh"
#include "tuning.h"

// The device kernels of cell matrices with a thread for each cell, and the
// choice of the kernel.
namespace tessera
{
  namespace
  {
    constexpr int cell_threads = CellData<double>::device_threads;

    /// A cell whose nodes have several components, seen from one of them.
    template <class Cell, int n_components>
    struct ComponentCell : Cell
    {
      int component;

      TESSERA_HOST_DEVICE
      ComponentCell(const Cell &cell, const int component)
        : Cell(cell), component(component)
      {}

      TESSERA_HOST_DEVICE int
      index(const int i) const
      {
        return n_components * Cell::index(i) + component;
      }
    };

    /// y += A x with stored cell matrices, and the sum x . A x if requested
    /// (KiranGautamSharma2020, EbE and EbE_sym).
    ///   values: [n_batches][entry][lanes], lane fastest
    /// One thread works on a cell, with coalesced reads of its values.
    /// Repeatable unless conflicts are handled by atomics.
    ///
    /// Bytes per cell in double: 8 for each stored value, 4 for each node, x,
    /// and y read and written.
    template <class Entries, class E, int n_components, class Number,
              class Stored>
    TESSERA_KERNEL(cell_threads,
                   (tuning::local_matrices_blocks<n_components * E::n, Number>))
    void apply_local(TESSERA_ARGUMENT(CellApply<Number>) apply,
                     TESSERA_ARGUMENT(LocalValues<Number, Stored>) local)
    {
      constexpr int n      = n_components * E::n;
      constexpr int stored = Entries::n_stored(E::n, n_components);
      using Cell           = IndexedCell<E, Number>;
      const Cell cell(cell_of_thread(apply.cells, apply.blocks), apply.cells);
      const Stored *mine = local.values + cell.place(stored, 0);
      Number u[n], r[n];
      TESSERA_UNROLL
      for (int c = 0; c < n_components; ++c)
        {
          RegisterValues<E::n, Number> of_component;
          gather<E>(ComponentCell<Cell, n_components>(cell, c), apply.x,
                    of_component);
          TESSERA_UNROLL
          for (int i = 0; i < E::n; ++i)
            u[c * E::n + i] = of_component[i];
        }
      Entries::template product<E::n, n_components>(
        [&](const int k) {
          return Number(
            device::load_once(mine + k * DeviceCell<Number>::lanes));
        },
        u, r);
      const Number product = energy<n>(u, r);
      if (local.of_cells != nullptr)
        {
          TESSERA_UNROLL
          for (int i = 0; i < n; ++i)
            cell.store(local.of_cells, n, i, r[i]);
        }
      else
        {
          TESSERA_UNROLL
          for (int c = 0; c < n_components; ++c)
            {
              Number of_component[E::n];
              TESSERA_UNROLL
              for (int i = 0; i < E::n; ++i)
                of_component[i] = r[c * E::n + i];
              scatter<E>(ComponentCell<Cell, n_components>(cell, c), apply,
                         of_component);
            }
        }
      sum_energy<cell_threads>(apply, product);
    }

    /// Adds the diagonals of the cell matrices to y, one thread per cell. Cells
    /// that fill up a block add nothing: all of them have one entry and one
    /// colour.
    template <class Entries, class E, int n_components, class Number,
              class Stored>
    TESSERA_KERNEL(cell_threads, 1)
    void add_diagonal(TESSERA_ARGUMENT(CellApply<Number>) apply,
                      TESSERA_ARGUMENT(LocalValues<Number, Stored>) local)
    {
      constexpr int stored = Entries::n_stored(E::n, n_components);
      const auto cell      = cell_of_thread(apply.cells, apply.blocks);
      for (int c = 0; c < n_components; ++c)
        scatter_each<E, E::n, n_components>(
          cell, apply, !cell.is_padding(apply.cells),
          [](const int i) { return i; },
          [&](const int i) {
            return Entries::template diagonal<Number, E::n, n_components>(
              [&](const int k) {
                return Number(cell.load(local.values, stored, k));
              },
              c * E::n + i);
          },
          c);
    }

    template <class Entries, class E, int n_components, class Number,
              class Stored>
    void
    launch_local(const CellApply<Number> &apply,
                 const LocalValues<Number, Stored> &local, const Stream stream)
    {
      constexpr int n = n_components * E::n;
      const auto run  = [&](const auto kernel, const int n_threads) {
        launch(kernel, {apply.blocks.n_blocks, n_threads}, stream, apply,
                local);
      };
      if (local.diagonal)
        return run(add_diagonal<Entries, E, n_components, Number, Stored>,
                   cell_threads);
      if constexpr (n > tuning::most_values_in_registers)
        run(apply_tiles<Entries, E, n_components, Number, Stored>,
            TileShape<n, Number>::threads);
      else
        run(apply_local<Entries, E, n_components, Number, Stored>,
            cell_threads);
    }

    template <class Entries, class E, class Number, class Stored>
    void
    launch_components(const CellApply<Number> &apply,
                      const LocalValues<Number, Stored> &local,
                      const Stream stream)
    {
      on_components<E>(local.n_components, [&](const auto n) {
        launch_local<Entries, E, decltype(n)::value>(apply, local, stream);
      });
    }
  } // namespace
} // namespace tessera
