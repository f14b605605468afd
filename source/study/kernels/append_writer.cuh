#pragma once

#include "../../kernels/device_emit.cuh"
#include "../../kernels/sinks.cuh"
#include <tessera/study/matrix/append_sink.h>

namespace tessera
{
  /// Cells that a block assembles at a time, each by so many threads; thread t
  /// is on cell t % emit_lanes.
  template <class E>
  constexpr int emit_lanes =
    E::cell_type == CellType::hexahedron ? TeamShape<E>::lanes
                                         : CellData<double>::device_threads;
  template <class E>
  constexpr int emit_members =
    E::cell_type == CellType::hexahedron ? TeamShape<E>::members : 1;

  /// Writes behind what the rows hold already: `reserve` takes the places of
  /// all rows of a cell by one atomic addition a row, after which every entry
  /// has one writer. The rows of the components of a node have the same length
  /// always, so that all of them have the place of the first one.
  /// RegulyGiles2015, section 7, reserves row by row; at once, threads meet
  /// once a cell instead of once a row, reservations do not wait for one
  /// another, and shares of entries (global_reuse) find their place again.
  template <int n, int n_components, int lanes, class Number>
  struct AppendWriter
  {
    static constexpr bool upper = false;
    const AppendSink<Number> *sink;
    const int *dofs;
    LanePlace<32> place;
    int *starts; ///< [n], `lanes` apart, shared by the threads of a cell
    bool active;

    /// Collective over the block: cells of one colour at a time, of which
    /// there are `n_colors`, so that rows grow in a fixed order (repeatable),
    /// or all of them. The threads of a cell are `members`, which share its
    /// rows.
    template <int members>
    TESSERA_DEVICE void
    reserve(const int color, const int n_colors) const
    {
      device::barrier(); // the cell before is done with
      TESSERA_ROLLED
      for (int turn = 0; turn < n_colors; ++turn)
        {
          if (active && turn == color)
            {
              TESSERA_UNROLL_BY(8)
              for (int i = device::thread_index() / lanes; i < n; i += members)
                if (const int to = row(i); to < sink->n_rows)
                  {
                    starts[i * lanes] = device::atomic_fetch_add(
                      sink->lengths + to, n_components * n);
                    TESSERA_UNROLL
                    for (int c = 1; c < n_components; ++c)
                      device::atomic_add(sink->lengths + to + c,
                                         n_components * n);
                  }
            }
          device::barrier();
        }
    }

    TESSERA_DEVICE int
    row(const int i) const
    {
      const int node = n_components == 1 ? i : i % n;
      return n_components * read_only(dofs + place(n, node)) +
             (n_components == 1 ? 0 : i / n);
    }

    TESSERA_DEVICE void
    begin_row(int)
    {}

    /// Row and start are read here and not in begin_row, where they would take
    /// registers while entries are computed.
    template <int W, int stride = 1>
    TESSERA_DEVICE void
    put(const int i, const int j0, const Number (&values)[W],
        const bool first = true)
    {
      const int to = row(i);
      if (active && to < sink->n_rows)
        {
          const int start =
            starts[(n_components == 1 ? i : i % n) * lanes] + j0;
          TESSERA_UNROLL
          for (int k = 0; k < W; ++k)
            sink->write(to, start + k * stride, row(j0 + k * stride), values[k],
                        first);
        }
      device::warp_barrier();
    }
  };
} // namespace tessera
