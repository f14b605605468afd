#pragma once

#include <tessera/assembly/form_kernels.h>
#include <tessera/base/target.h>
#include <tessera/space/element.h>

#include <type_traits>

// The kernels of a form `F` on an element `E`, once for the device (*.cu) and
// once for every instruction set of the host (*_host.cc).
namespace tessera
{
  /// The ways to compute the entries of a cell matrix (strategies.cuh). A form
  /// has kernels for local_reuse; others are for studies.
  enum class Strategy
  {
    local_reuse,
    redundant_compute,
    global_reuse
  };

  template <class F, class E, class Number>
  void
  apply_on(Cuda, const CellApply<Number> &apply,
           const FieldsView<Number> &fields, Quantity quantity, Stream stream);

  template <class F, class E, class Number>
  void
  assemble_rows_on(Cuda, const AssemblyCells<Number> &cells,
                   const SlotSink<Number> &sink, Stream stream);

  template <class F, class E, class Number>
  void
  assemble_local_on(Cuda, const AssemblyCells<Number> &cells, Number *values,
                    bool upper, Stream stream);

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
  assemble_rows_on(Target, const AssemblyCells<Number> &cells,
                   const SlotSink<Number> &sink, Stream stream);

  template <class F, class E, class Number, class Target, IfHost<Target> = 0>
  void
  assemble_local_on(Target, const AssemblyCells<Number> &cells, Number *values,
                    bool upper, Stream stream);

  template <class F, class E, class Number, class Target, IfHost<Target> = 0>
  void
  assemble_diagonal_on(Target, const AssemblyCells<Number> &cells, Number *d,
                       Stream stream);
} // namespace tessera
