#include "../../kernels/host_emit.cuh"
#include "strategy_launches.h"
#include "this_form.h"

// Rows of cell matrices behind what their rows hold: blocks of one colour go in
// parallel, the lanes of a batch one after another.
namespace tessera
{
  namespace
  {
    /// Reserves the places of all rows of a batch, then fills them in. The rows
    /// of the components of a node have the same length always.
    template <int n, int n_components, class Target, class Number>
    struct AppendWriter
    {
      static constexpr bool upper = false;
      static constexpr int lanes  = Target::template lanes<Number>;

      const AppendSink<Number> &sink;
      const int *dofs;       ///< [n][lanes]
      int starts[n * lanes]; ///< [n][lanes]

      TESSERA_HOST
      AppendWriter(const AppendSink<Number> &sink,
                   const AssemblyCells<Number> &in,
                   const HostCells<Target, Number> &batch)
        : sink(sink), dofs(in.cells.dofs + batch.place(n, 0))
      {
        for (int k = 0; k < n * lanes; ++k)
          if (const int to = n_components * dofs[k]; to < sink.n_rows)
            {
              starts[k] = reserve_places(sink.lengths + to, n_components * n,
                                         in.conflict);
              for (int c = 1; c < n_components; ++c)
                reserve_places(sink.lengths + to + c, n_components * n,
                               in.conflict);
            }
      }

      TESSERA_HOST int
      row(const int i, const int lane) const
      {
        return n_components * dofs[i % n * lanes + lane] + i / n;
      }

      TESSERA_HOST void
      begin_row(int)
      {}

      template <int W>
      TESSERA_HOST void
      put(const int i, const int j0, const Simd<Number, lanes> (&values)[W],
          const bool first = true)
      {
        for (int k = 0; k < W; ++k)
          for (int lane = 0; lane < lanes; ++lane)
            if (const int to = row(i, lane); to < sink.n_rows)
              sink.write(to, starts[i % n * lanes + lane] + j0 + k,
                         row(j0 + k, lane), values[k][lane], first);
      }
    };
  } // namespace

  template <class F, class E, class Number, class Target, IfHost<Target>>
  void
  append_rows_on(Target, const AssemblyCells<Number> &cells,
                 const AppendSink<Number> &sink, const Strategy strategy,
                 Stream)
  {
    const auto writers = [&](const HostCells<Target, Number> &batch) {
      return AppendWriter<E::n, F::n_components, Target, Number>(sink, cells,
                                                                 batch);
    };
    on_strategy(strategy, [&](const auto chosen) {
      emit_all<decltype(chosen)::value, F, E, Target>(cells, writers);
    });
  }

#define INSTANTIATE(E, Number)                                              \
  template void append_rows_on<ThisForm<E::dim>, E, Number>(                \
    TESSERA_ISA, const AssemblyCells<Number> &, const AppendSink<Number> &, \
    Strategy, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
