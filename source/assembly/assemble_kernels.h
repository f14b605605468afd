#pragma once

#include <tessera/assembly/assemble.h>
#include <tessera/base/attributes.h>
#include <tessera/base/target.h>

#include <type_traits>

// What assembly hands to its kernels, once for the device and once for every
// instruction set of the host.
namespace tessera
{
  template <class Number>
  struct AssemblyCells
  {
    CellView<Number> cells;
    int batches_per_block;
    BlockList blocks;
    Conflict conflict;
    CoefficientView<Number> kappa;
  };

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

  template <class E, class Number>
  void
  assemble_rows_on(Cuda, const AssemblyCells<Number> &cells,
                   const SlotSink<Number> &sink, Strategy strategy,
                   Stream stream);

  template <class E, class Number>
  void
  assemble_local_on(Cuda, const AssemblyCells<Number> &cells, Number *values,
                    bool upper, Strategy strategy, Stream stream);

  template <class E, class Number>
  void
  assemble_diagonal_on(Cuda, const AssemblyCells<Number> &cells, Number *d,
                       Stream stream);

  template <class E, class Number, class Target, IfHost<Target> = 0>
  void
  assemble_rows_on(Target, const AssemblyCells<Number> &cells,
                   const SlotSink<Number> &sink, Strategy strategy,
                   Stream stream);

  template <class E, class Number, class Target, IfHost<Target> = 0>
  void
  assemble_local_on(Target, const AssemblyCells<Number> &cells, Number *values,
                    bool upper, Strategy strategy, Stream stream);

  template <class E, class Number, class Target, IfHost<Target> = 0>
  void
  assemble_diagonal_on(Target, const AssemblyCells<Number> &cells, Number *d,
                       Stream stream);
} // namespace tessera
