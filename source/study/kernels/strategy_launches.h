#pragma once

#include "../../kernels/launches.h"
#include <tessera/study/matrix/append_sink.h>

// The kernels of a form `F` on an element `E` that studies compare, once for
// the device (*.cu) and once for every instruction set of the host (*_host.cc).
namespace tessera
{
  /// Calls `f` with the strategy as a constant.
  template <class F>
  TESSERA_HOST void
  on_strategy(const Strategy strategy, const F &f)
  {
    switch (strategy)
      {
        case Strategy::keeps_points:
          return f(std::integral_constant<Strategy, Strategy::keeps_points>());
        case Strategy::repeats_points:
          return f(
            std::integral_constant<Strategy, Strategy::repeats_points>());
        case Strategy::by_points:
          return f(std::integral_constant<Strategy, Strategy::by_points>());
        case Strategy::diagonal: // not a strategy of whole matrices
          return;
      }
  }

  /// Does this for all strategies but local_reuse, which the form itself has.
  template <class F>
  TESSERA_HOST void
  on_other_strategy(const Strategy strategy, const F &f)
  {
    on_strategy(strategy, [&](const auto chosen) {
      if constexpr (decltype(chosen)::value != Strategy::keeps_points)
        f(chosen);
    });
  }

  template <class F, class E, class Number>
  void
  apply_local_on(Cuda, const CellApply<Number> &apply,
                 const FieldsView<Number> &fields, Strategy strategy,
                 Stream stream);

  template <class F, class E, class Number>
  void
  append_rows_on(Cuda, const AssemblyCells<Number> &cells,
                 const AppendSink<Number> &sink, Strategy strategy,
                 Stream stream);

  template <class F, class E, class Number>
  void
  assemble_rows_by_on(Cuda, const AssemblyCells<Number> &cells,
                      const SlotSink<Number> &sink, Strategy strategy,
                      Stream stream);

  template <class F, class E, class Number>
  void
  assemble_local_by_on(Cuda, const AssemblyCells<Number> &cells, Number *values,
                       bool upper, Strategy strategy, Stream stream);

  template <class F, class E, class Number, class Target, IfHost<Target> = 0>
  void
  apply_local_on(Target, const CellApply<Number> &apply,
                 const FieldsView<Number> &fields, Strategy strategy,
                 Stream stream);

  template <class F, class E, class Number, class Target, IfHost<Target> = 0>
  void
  append_rows_on(Target, const AssemblyCells<Number> &cells,
                 const AppendSink<Number> &sink, Strategy strategy,
                 Stream stream);

  template <class F, class E, class Number, class Target, IfHost<Target> = 0>
  void
  assemble_rows_by_on(Target, const AssemblyCells<Number> &cells,
                      const SlotSink<Number> &sink, Strategy strategy,
                      Stream stream);

  template <class F, class E, class Number, class Target, IfHost<Target> = 0>
  void
  assemble_local_by_on(Target, const AssemblyCells<Number> &cells,
                       Number *values, bool upper, Strategy strategy,
                       Stream stream);
} // namespace tessera
