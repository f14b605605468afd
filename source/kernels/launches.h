#pragma once

#include <tessera/assembly/form_kernels.h>
#include <tessera/base/target.h>
#include <tessera/space/element.h>

#include <type_traits>

// The kernels of a form `F` on an element `E`, once for the device (*.cu) and
// once for every instruction set of the host (*_host.cc).
namespace tessera
{
  /// Calls `f` with the strategy as a constant.
  template <class F>
  TESSERA_HOST void
  on_strategy(const Strategy strategy, const F &f)
  {
    switch (strategy)
      {
#define TESSERA_STRATEGY(name, sentence, paper) \
  case Strategy::name:                          \
    return f(std::integral_constant<Strategy, Strategy::name>());
#include <tessera/assembly/strategies.def>
#undef TESSERA_STRATEGY
      }
  }

  /// Calls `f` with the strategy, or, if the form is compiled for local_reuse
  /// alone, with that one: what was asked for was checked before.
  template <bool all, class F>
  TESSERA_HOST void
  on_compiled_strategy(const Strategy strategy, const F &f)
  {
    if constexpr (all)
      on_strategy(strategy, f);
    else
      f(std::integral_constant<Strategy, Strategy::local_reuse>());
  }

  template <class F, class E, class Number>
  void
  apply_on(Cuda, const CellApply<Number> &apply,
           const FieldsView<Number> &fields, Quantity quantity, Stream stream);

  template <class F, class E, class Number>
  void
  apply_local_on(Cuda, const CellApply<Number> &apply,
                 const FieldsView<Number> &fields, Strategy strategy,
                 Stream stream);

  template <class F, class E, class Number>
  void
  assemble_rows_on(Cuda, const AssemblyCells<Number> &cells,
                   const SlotSink<Number> &sink, Strategy strategy,
                   Stream stream);

  template <class F, class E, class Number>
  void
  assemble_local_on(Cuda, const AssemblyCells<Number> &cells, Number *values,
                    bool upper, Strategy strategy, Stream stream);

  template <class F, class E, class Number>
  void
  append_rows_on(Cuda, const AssemblyCells<Number> &cells,
                 const AppendSink<Number> &sink, Strategy strategy,
                 Stream stream);

  template <class F, class E, class Number>
  void
  assemble_diagonal_on(Cuda, const AssemblyCells<Number> &cells, Number *d,
                       Stream stream);

  template <class F, class E, class Number, class Target, IfHost<Target> = 0>
  void
  apply_on(Target, const CellApply<Number> &apply,
           const FieldsView<Number> &fields, Quantity quantity, Stream stream);

  template <class F, class E, class Number, class Target, IfHost<Target> = 0>
  void
  apply_local_on(Target, const CellApply<Number> &apply,
                 const FieldsView<Number> &fields, Strategy strategy,
                 Stream stream);

  template <class F, class E, class Number, class Target, IfHost<Target> = 0>
  void
  assemble_rows_on(Target, const AssemblyCells<Number> &cells,
                   const SlotSink<Number> &sink, Strategy strategy,
                   Stream stream);

  template <class F, class E, class Number, class Target, IfHost<Target> = 0>
  void
  assemble_local_on(Target, const AssemblyCells<Number> &cells, Number *values,
                    bool upper, Strategy strategy, Stream stream);

  template <class F, class E, class Number, class Target, IfHost<Target> = 0>
  void
  append_rows_on(Target, const AssemblyCells<Number> &cells,
                 const AppendSink<Number> &sink, Strategy strategy,
                 Stream stream);

  template <class F, class E, class Number, class Target, IfHost<Target> = 0>
  void
  assemble_diagonal_on(Target, const AssemblyCells<Number> &cells, Number *d,
                       Stream stream);
} // namespace tessera
