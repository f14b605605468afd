#pragma once

#include <tessera/base/device.cuh>
#include <tessera/space/cells.cuh>

#include "sinks.cuh"
#include <tessera/assembly/options.h>

// Writers own conflicts: what happens where two threads add to one place.
// begin_row and put are collective over the block.
namespace tessera
{
  /// Stride of the shared scratch memory that keeps the metric's third
  /// component: for degree 4 in double, 3 x 25 values are more than the
  /// registers of a thread.
  template <Strategy strategy, int degree, class Number>
  constexpr int metric_scratch = strategy == Strategy::local_reuse &&degree ==
                                       4 &&
                                     sizeof(Number) == 8
                                   ? CellData<Number>::device_threads
                                   : 0;

  /// Every addition is atomic.
  template <class Sink, class Number>
  struct AtomicWriter
  {
    static constexpr bool upper = false;
    Sink sink;

    TESSERA_DEVICE void
    begin_row(const int i)
    {
      sink.open(i);
    }

    template <int W>
    TESSERA_DEVICE void
    put(const int i, const int j0, const Number (&values)[W])
    {
      TESSERA_UNROLL
      for (int k = 0; k < W; ++k)
        if (Number *to = sink.at(i, j0 + k))
          device::atomic_add(to, values[k]);
      device::warp_barrier();
    }
  };

  /// Cells of a block take turns by colour; blocks that share entries are in
  /// other launches. Repeatable.
  template <class Sink, class Number>
  struct ColorWriter
  {
    static constexpr bool upper = false;
    Sink sink;
    int color;
    int n_colors;

    TESSERA_DEVICE void
    begin_row(const int i)
    {
      sink.open(i);
    }

    template <int W>
    TESSERA_DEVICE void
    put(const int i, const int j0, const Number (&values)[W])
    {
      for (int turn = 0; turn < n_colors; ++turn)
        {
          if (turn == color)
            {
              TESSERA_UNROLL
              for (int k = 0; k < W; ++k)
                if (Number *to = sink.at(i, j0 + k))
                  *to += values[k];
            }
          device::barrier();
        }
    }
  };

  /// Into local matrices, where every entry has one writer. Coalesced.
  template <bool upper_half, int n, class Number>
  struct LocalWriter
  {
    static constexpr bool upper = upper_half;
    DeviceCell<Number> cell;
    Number *to;

    TESSERA_DEVICE void
    begin_row(int)
    {}

    template <int W>
    TESSERA_DEVICE void
    put(const int i, const int j0, const Number (&values)[W])
    {
      TESSERA_UNROLL
      for (int k = 0; k < W; ++k)
        if (!upper || j0 + k >= i)
          cell.store(to, n_local_entries(upper, n),
                     local_entry(upper, n, i, j0 + k), values[k]);
    }
  };
} // namespace tessera
