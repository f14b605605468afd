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
  /// has kernels for the first one and for diagonals; others are for studies.
  enum class Strategy
  {
    keeps_points,   ///< numbers of all points are computed once and kept
    repeats_points, ///< numbers of a point are computed again for every entry
    by_points,      ///< each point in turn adds to all entries
    diagonal        ///< of `assemble_diagonal_on`: entries (i, i) alone
  };

  /// How diagonals are computed: by entries (i, i) alone, or else by whole rows
  /// if the form projects, which couples points, or if the memory of a team of
  /// threads (hexahedron_team.cuh) does not hold what it keeps at a point.
  template <class F, class E, Strategy rows>
  constexpr Strategy diagonal_strategy = F::projects ||
                                             (E::cell_type ==
                                                CellType::hexahedron &&
                                              F::n_point > 3 * E::n)
                                           ? rows
                                           : Strategy::diagonal;

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
