#include <tessera/base/launch.h>
#include <tessera/base/on_constant.h>

#include "assemble_entries.cuh"
#include "this_form.h"

namespace tessera
{
  namespace
  {
    /// Calls `run(strategy, size)` with both as constants, where there is such
    /// a kernel.
    template <int degree, class Number, class Run>
    void
    on_size(const int n_threads, const Strategy strategy, const Run &run)
    {
      on_strategy(strategy, [&](const auto chosen) {
        using Chosen    = std::decay_t<decltype(chosen)>;
        const auto with = [&](const auto size) {
          using Size = std::decay_t<decltype(size)>;
          constexpr std::size_t bytes =
            kept_bytes(Size::value, Chosen::value, degree, sizeof(Number));
          if constexpr (bytes <= block_shared_bytes)
            run(Chosen(), Size());
        };
        on_constant<64, 128, 256>(n_threads, with);
      });
    }
  } // namespace

  template <class F, class E, class Number>
  void
  assemble_local_sized(const AssemblyCells<Number> &cells, const int n_threads,
                       Number *values, const Strategy strategy,
                       const Stream stream)
  {
    if constexpr (F::n_components == 1)
      on_size<E::degree, Number>(
        n_threads, strategy, [&](const auto chosen, const auto size) {
          launch(local<decltype(chosen)::value, false, F, E, false,
                       decltype(size)::value, Number>,
                 {cells.blocks.n_blocks, n_threads}, stream, cells, values,
                 reference_element<E, Number>());
        });
  }

  template <class F, class E, class Number>
  void
  assemble_rows_sized(const AssemblyCells<Number> &cells, const int n_threads,
                      const SlotSink<Number> &sink, const Strategy strategy,
                      const Stream stream)
  {
    if constexpr (F::n_components == 1)
      on_size<E::degree, Number>(
        n_threads, strategy, [&](const auto chosen, const auto size) {
          launch(rows<decltype(chosen)::value, true, F, E, false,
                      decltype(size)::value, Number>,
                 {cells.blocks.n_blocks, n_threads}, stream, cells, sink,
                 reference_element<E, Number>());
        });
  }

#define INSTANTIATE(degree, Number)                                         \
  template void                                                             \
  assemble_local_sized<ThisForm<2>, Quadrilateral<degree>, Number>(         \
    const AssemblyCells<Number> &, int, Number *, Strategy, Stream);        \
  template void                                                             \
  assemble_rows_sized<ThisForm<2>, Quadrilateral<degree>, Number>(          \
    const AssemblyCells<Number> &, int, const SlotSink<Number> &, Strategy, \
    Stream);
  INSTANTIATE(1, double)
  INSTANTIATE(2, double)
  INSTANTIATE(3, double)
  INSTANTIATE(4, double)
  INSTANTIATE(1, float)
  INSTANTIATE(2, float)
  INSTANTIATE(3, float)
  INSTANTIATE(4, float)
#undef INSTANTIATE
} // namespace tessera
