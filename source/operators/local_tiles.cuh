#pragma once

#include <tessera/base/device.cuh>
#include <tessera/space/cell_interior.h>
#include <tessera/space/device_cells.cuh>

#include "local_matrices.cuh"
#include "tuning.h"

// The product of large cell matrices: a team of threads has a cell.
namespace tessera
{
  /// How a block of threads shares cells with n values each. A matrix is cut
  /// into `tiles` by `tiles` squares. `cells` lanes have a cell each, `teams`
  /// threads work at a cell, and `sets` times so many cells are worked on at a
  /// time.
  template <int n, class Number>
  struct TileShape
  {
    static constexpr int device_lanes = 32;
    static constexpr int cells        = n > 96 ? 16 : device_lanes;
    static constexpr int wanted       = tuning::square_rows<n>;
    static constexpr int tiles        = ((n + wanted - 1) / wanted + 1) / 2 * 2;
    static constexpr int rows         = (n + tiles - 1) / tiles;
    static constexpr int teams        = tiles / 2;
    static constexpr int sets =
      teams * cells >= 128 || 4 * n * cells * sizeof(Number) > 48 * 1024 ? 1
                                                                         : 2;
    static constexpr int columns = cells * sets;
    static constexpr int threads = columns * teams;
    static_assert(CellData<Number>::device_threads % columns == 0,
                  "a block of cells is a multiple");
    static_assert(threads % 32 == 0, "whole warps");
  };

  /// One square of a symmetric matrix: rows from i_0 and columns from j_0,
  /// which are another square's rows. `entry(i, j)` returns an entry of the
  /// upper half; `u` and `r` have the value i of a cell at i stride.
  template <int n, int rows, bool on_diagonal, class Number, class Entry>
  TESSERA_DEVICE void
  add_tile(const int i_0, const int j_0, const Entry &entry, const Number *u,
           Number *r, const int stride)
  {
    Number u_j[rows], r_j[rows];
    TESSERA_UNROLL
    for (int l = 0; l < rows; ++l)
      {
        u_j[l] = j_0 + l < n ? u[(j_0 + l) * stride] : Number(0);
        r_j[l] = Number(0);
      }
    TESSERA_UNROLL_BY(on_diagonal ? rows : tuning::square_rows_ahead)
    for (int k = 0; k < rows; ++k)
      {
        const int i = i_0 + k;
        if (i >= n)
          break;
        Number a[rows];
        TESSERA_UNROLL
        for (int l = on_diagonal ? k : 0; l < rows; ++l)
          a[l] = j_0 + l < n ? entry(i, j_0 + l) : Number(0);
        const Number u_i = u[i * stride];
        Number sum       = Number(0);
        TESSERA_UNROLL
        for (int l = on_diagonal ? k : 0; l < rows; ++l)
          {
            sum += a[l] * u_j[l];
            if (!on_diagonal || l > k)
              r_j[l] += a[l] * u_i;
          }
        if (on_diagonal)
          r_j[k] += sum;
        else
          r[i * stride] += sum;
      }
    TESSERA_UNROLL
    for (int l = 0; l < rows; ++l)
      if (j_0 + l < n)
        r[(j_0 + l) * stride] += r_j[l];
  }

  /// y += A x with stored cell matrices, for cells with too many values for the
  /// registers of a thread. The vectors u and r of a cell stand in shared
  /// memory. For a symmetric matrix, the squares above the diagonal are worked
  /// off in rounds of a tournament (KiranGautamSharma2020, section 3.2, has it
  /// for the four nodes of a quadrilateral): in every round each of the
  /// `tiles` parts of r belongs to one thread of a cell, so that all have the
  /// same work and none needs atomics. Reads are coalesced over the cells of a
  /// batch. Repeatable unless conflicts are handled by atomics.
  ///
  /// Bytes per cell in double: 8 n^2 or 4 n (n + 1) of values, 8 n of degrees
  /// of freedom, which are read twice, x, and y read and written.
  template <class Entries, class E, int n_components, class Number,
            class Stored>
  TESSERA_KERNEL((TileShape<n_components * E::n, Number>::threads), 2)
  void apply_tiles(TESSERA_ARGUMENT(CellApply<Number>) apply,
                   TESSERA_ARGUMENT(LocalValues<Number, Stored>) local)
  {
    constexpr int n       = n_components * E::n;
    constexpr int lanes   = DeviceCell<Number>::lanes;
    constexpr bool half   = Entries::upper;
    constexpr int stored  = Entries::n_stored(E::n, n_components);
    using Shape           = TileShape<n, Number>;
    constexpr int columns = Shape::columns;
    TESSERA_SHARED Number all_u[n * columns], all_r[n * columns];
    const int team = device::thread_index() / Shape::cells % Shape::teams;
    const int set  = device::thread_index() / (Shape::cells * Shape::teams);
    const int place =
      set * Shape::cells + device::thread_index() % Shape::cells;
    Number *const u    = all_u + place;
    Number *const r    = all_r + place;
    const bool atomics = apply.conflict == Conflict::atomics;
    Number product     = Number(0);
    TESSERA_ROLLED
    for (int first = 0; first < CellData<Number>::device_threads;
         first += columns)
      {
        const auto cell =
          cell_of_block(apply.cells, apply.blocks, first + place);
        const Stored *const mine = local.values + cell.place(stored, 0);
        const auto entry         = [&](const int i, const int j) {
          return Number(
                    device::load_once(mine + local_entry(half, n, i, j) * lanes));
        };
        const auto node = [&](const int i) {
          return n_components * cell.load(apply.cells.dofs, E::n, i % E::n) +
                 i / E::n;
        };
        TESSERA_UNROLL_BY(tuning::square_nodes_ahead)
        for (int i = team; i < n; i += Shape::teams)
          {
            u[i * columns] = read_only(apply.x + node(i));
            r[i * columns] = Number(0);
          }
        device::barrier();
        if constexpr (half)
          {
            constexpr int others = Shape::tiles - 1; // an odd number
            const auto square    = [&](const int a, const int b) {
              add_tile<n, Shape::rows, false>((a < b ? a : b) * Shape::rows,
                                              (a < b ? b : a) * Shape::rows,
                                              entry, u, r, columns);
            };
            TESSERA_ROLLED
            for (int round = 0; round < others; ++round)
              {
                const int a = (round + team) % others;
                const int b =
                  team == 0 ? others : (round + others - team) % others;
                square(a, b);
                device::barrier();
              }
            TESSERA_ROLLED
            for (int k = 0; k < 2; ++k)
              {
                const int a = (k == 0 ? team : others - team) * Shape::rows;
                add_tile<n, Shape::rows, true>(a, a, entry, u, r, columns);
              }
          }
        else
          {
            constexpr int part = 8; // number of loads in flight
            TESSERA_ROLLED
            for (int i = team; i < n; i += Shape::teams)
              {
                Number sum = Number(0);
                TESSERA_ROLLED
                for (int j = 0; j < n; j += part)
                  {
                    Number k[part];
                    TESSERA_UNROLL
                    for (int l = 0; l < part; ++l)
                      k[l] = j + l < n ? entry(i, j + l) : Number(0);
                    TESSERA_UNROLL
                    for (int l = 0; l < part; ++l)
                      sum += k[l] * u[(j + l < n ? j + l : 0) * columns];
                  }
                r[i * columns] = sum;
              }
          }
        device::barrier();
        const auto add_all = [&]() {
          TESSERA_UNROLL_BY(tuning::square_nodes_ahead)
          for (int i = team; i < n; i += Shape::teams)
            {
              const Number value = r[i * columns];
              Number *const to   = apply.y + node(i);
              product += u[i * columns] * value;
              if (n_components == 1 && is_cell_interior<E>(i))
                *to = apply.add ? *to + value : value;
              else if (atomics)
                device::atomic_add(to, value);
              else
                *to += value;
            }
        };
        if (local.of_cells != nullptr)
          for (int i = team; i < n; i += Shape::teams)
            {
              cell.store(local.of_cells, n, i, r[i * columns]);
              product += u[i * columns] * r[i * columns];
            }
        else if (atomics)
          add_all();
        else
          {
            const int mine_color = cell.load(apply.cells.cell_color, 1, 0);
            TESSERA_ROLLED
            for (int color = 0; color < apply.cells.n_cell_colors; ++color)
              {
                if (color == mine_color)
                  add_all();
                device::barrier();
              }
          }
        device::barrier();
      }
    if (apply.sum.result != nullptr)
      device::leave_sum<Shape::threads>(
        product, apply.blocks.first + device::block_index(), apply.sum);
  }
} // namespace tessera
