#include "host_emit.cuh"
#include "this_form.h"

// The host's writers and kernels: blocks of one colour go in parallel, the
// lanes of a batch one after another.
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

    template <bool upper, class F, class E, class Target, class Number>
    TESSERA_HOST void
    local_all(const AssemblyCells<Number> &in, Number *values,
              const Strategy strategy)
    {
      constexpr int n    = F::n_components * E::n;
      const auto writers = [&](const HostCells<Target, Number> &batch) {
        return LocalWriter<upper, n, Target, Number>{batch, values};
      };
      on_compiled_strategy<all_strategies<E>>(strategy, [&](const auto chosen) {
        emit_all<decltype(chosen)::value, F, E, Target>(in, writers);
      });
    }
  } // namespace

  template <class F, class E, class Number, class Target, IfHost<Target>>
  void
  assemble_rows_on(Target, const AssemblyCells<Number> &cells,
                   const SlotSink<Number> &sink, const Strategy strategy,
                   Stream)
  {
    constexpr int lanes  = Target::template lanes<Number>;
    const auto make_sink = [&](const LanePlace<lanes> place) {
      return RowSlots<E::n, F::n_components, lanes, Number>{
        &sink, cells.cells.dofs, place};
    };
    on_compiled_strategy<all_strategies<E>>(strategy, [&](const auto chosen) {
      scatter_all<decltype(chosen)::value, F, E, Target>(cells, make_sink);
    });
  }

  template <class F, class E, class Number, class Target, IfHost<Target>>
  void
  assemble_local_on(Target, const AssemblyCells<Number> &cells, Number *values,
                    const bool upper, const Strategy strategy, Stream)
  {
    if (upper)
      local_all<true, F, E, Target>(cells, values, strategy);
    else
      local_all<false, F, E, Target>(cells, values, strategy);
  }

  template <class F, class E, class Number, class Target, IfHost<Target>>
  void
  assemble_diagonal_on(Target, const AssemblyCells<Number> &cells, Number *d,
                       Stream)
  {
    constexpr int lanes = Target::template lanes<Number>;
    scatter_all<Strategy::local_reuse, F, E, Target>(
      cells, [&](const LanePlace<lanes> place) {
        return Diagonal<E::n, F::n_components, lanes, Number>{
          d, cells.cells.dofs, place};
      });
  }

#define INSTANTIATE(E, Number)                                            \
  template void assemble_rows_on<ThisForm<E::dim>, E, Number>(            \
    TESSERA_ISA, const AssemblyCells<Number> &, const SlotSink<Number> &, \
    Strategy, Stream);                                                    \
  template void assemble_local_on<ThisForm<E::dim>, E, Number>(           \
    TESSERA_ISA, const AssemblyCells<Number> &, Number *, bool, Strategy, \
    Stream);                                                              \
  template void assemble_diagonal_on<ThisForm<E::dim>, E, Number>(        \
    TESSERA_ISA, const AssemblyCells<Number> &, Number *, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
