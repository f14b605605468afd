#pragma once

#include "host_emit.cuh"

// Writers of the host, and what writes all entries by them: blocks of one
// colour go in parallel, the lanes of a batch one after another.
namespace tessera
{
  namespace
  {
    template <class Sink, class Target, class Number>
    struct ScatterWriter
    {
      static constexpr bool upper = false;
      static constexpr int lanes  = Target::template lanes<Number>;

      Sink sinks[lanes];
      bool atomics;

      TESSERA_HOST void
      begin_row(const int i)
      {
        for (int lane = 0; lane < lanes; ++lane)
          sinks[lane].open(i);
      }

      template <int W>
      TESSERA_HOST void
      put(const int i, const int j0, const Simd<Number, lanes> (&values)[W],
          bool = true)
      {
        for (int k = 0; k < W; ++k)
          for (int lane = 0; lane < lanes; ++lane)
            if (Number *to = sinks[lane].at(i, j0 + k))
              {
                const Number value = values[k][lane];
                if (atomics)
                  {
#pragma omp atomic
                    *to += value;
                  }
                else
                  *to += value;
              }
      }
    };

    template <bool upper_half, int n, class Target, class Number>
    struct LocalWriter
    {
      static constexpr bool upper = upper_half;
      const HostCells<Target, Number> &batch;
      Number *to;

      TESSERA_HOST void
      begin_row(int)
      {}

      template <int W>
      TESSERA_HOST void
      put(const int i, const int j0,
          const Simd<Number, Target::template lanes<Number>> (&values)[W],
          const bool first = true)
      {
        constexpr int entries = n_local_entries(upper, n);
        for (int k = 0; k < W; ++k)
          if (!upper || j0 + k >= i)
            {
              const int entry = local_entry(upper, n, i, j0 + k);
              batch.store(to, entries, entry,
                          first ? values[k]
                                : batch.load(to, entries, entry) + values[k]);
            }
      }
    };

    /// A writer that adds lane by lane through the sinks of `make_sink`.
    template <Strategy strategy, class F, class E, class Target, class Number,
              class MakeSink>
    TESSERA_HOST void
    scatter_all(const AssemblyCells<Number> &in, const MakeSink &make_sink)
    {
      constexpr int lanes = Target::template lanes<Number>;
      using Sink          = decltype(make_sink(LanePlace<lanes>{0, 0}));
      emit_all<strategy, F, E, Target, Number>(in, [&](const auto &batch) {
        ScatterWriter<Sink, Target, Number> writer;
        writer.atomics = in.conflict == Conflict::atomics;
        for (int lane = 0; lane < lanes; ++lane)
          writer.sinks[lane] = make_sink(LanePlace<lanes>{batch.batch, lane});
        return writer;
      });
    }

    /// Writes cell matrices or their upper halves.
    template <Strategy strategy, class F, class E, class Target, class Number>
    TESSERA_HOST void
    write_local(const AssemblyCells<Number> &in, Number *values,
                const bool upper)
    {
      constexpr int n  = F::n_components * E::n;
      const auto write = [&](const auto half) {
        emit_all<strategy, F, E, Target>(
          in, [&](const HostCells<Target, Number> &batch) {
            return LocalWriter<decltype(half)::value, n, Target, Number>{
              batch, values};
          });
      };
      if (upper)
        write(std::true_type());
      else
        write(std::false_type());
    }

    /// Adds cell matrices to a matrix of rows.
    template <Strategy strategy, class F, class E, class Target, class Number>
    TESSERA_HOST void
    write_rows(const AssemblyCells<Number> &in, const SlotSink<Number> &sink)
    {
      constexpr int lanes = Target::template lanes<Number>;
      scatter_all<strategy, F, E, Target>(
        in, [&](const LanePlace<lanes> place) {
          return RowSlots<E::n, F::n_components, lanes, Number>{
            &sink, in.cells.dofs, place};
        });
    }
  } // namespace
} // namespace tessera
