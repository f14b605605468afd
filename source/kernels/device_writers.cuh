#pragma once

#include <tessera/base/device.cuh>
#include <tessera/space/cells.cuh>

#include "sinks.cuh"
#include <tessera/assembly/options.h>

// Writers own conflicts: what happens where two threads add to one place.
// begin_row and put are collective over the block; value k of a put belongs to
// column j0 + k * stride. Threads that are not active write nothing. What is
// not the `first` put to an entry adds to it, also where entries are written.
namespace tessera
{
  /// Every addition is atomic.
  template <class Sink, class Number>
  struct AtomicWriter
  {
    static constexpr bool upper = false;
    Sink sink;
    bool active;

    TESSERA_DEVICE void
    begin_row(const int i)
    {
      sink.open(i);
    }

    template <int W, int stride = 1>
    TESSERA_DEVICE void
    put(const int i, const int j0, const Number (&values)[W], bool = true)
    {
      TESSERA_UNROLL
      for (int k = 0; active && k < W; ++k)
        if (Number *to = sink.at(i, j0 + k * stride))
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
    bool active;

    TESSERA_DEVICE void
    begin_row(const int i)
    {
      sink.open(i);
    }

    template <int W, int stride = 1>
    TESSERA_DEVICE void
    put(const int i, const int j0, const Number (&values)[W], bool = true)
    {
      for (int turn = 0; turn < n_colors; ++turn)
        {
          if (active && turn == color)
            {
              TESSERA_UNROLL
              for (int k = 0; k < W; ++k)
                if (Number *to = sink.at(i, j0 + k * stride))
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
    bool active;

    TESSERA_DEVICE void
    begin_row(int)
    {}

    template <int W, int stride = 1>
    TESSERA_DEVICE void
    put(const int i, const int j0, const Number (&values)[W],
        const bool first = true)
    {
      TESSERA_UNROLL
      for (int k = 0; active && k < W; ++k)
        if (!upper || j0 + k * stride >= i)
          {
            Number *const entry =
              to + cell.place(n_local_entries(upper, n),
                              local_entry(upper, n, i, j0 + k * stride));
            *entry = first ? values[k] : *entry + values[k];
          }
    }
  };
} // namespace tessera
