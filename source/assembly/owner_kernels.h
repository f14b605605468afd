#pragma once

#include <tessera/assembly/owner.h>
#include <tessera/base/target.h>

// What Owner hands to its kernels.
namespace tessera
{
  template <class Number>
  struct OwnedRows
  {
    CellView<Number> cells;
    CoefficientView<Number> kappa;
    const std::int64_t *start;   ///< of `CellsOfRows`
    const unsigned int *entries; ///< cell n + node
    SlotSink<Number> sink;
  };

  /// But for hexahedra, whose rows are too much for a thread.
  template <class E, class Number>
  void
  assemble_owned(Cuda, const OwnedRows<Number> &rows, Stream stream);

  template <class E, class Number, class Target, IfHost<Target> = 0>
  void
  assemble_owned(Target, const OwnedRows<Number> &rows, Stream stream);
} // namespace tessera
