#pragma once

#include <tessera/space/host_cells.h>

#include "launches.h"
#include "sinks.cuh"
#include "strategies.cuh"

namespace tessera
{
  /// The matrices of all cells of a launch, batch by batch, row by row into the
  /// writers of `make_writer(batch)`; blocks of cells go in parallel.
  /// `finish(batch, writer)` has a writer that is done and returns the batch's
  /// share of the sums that blocks leave in `partial`, unless that is null.
  template <Strategy strategy, class F, class E, class Target, class Number,
            class MakeWriter, class Finish>
  TESSERA_HOST void
  emit_all(const AssemblyCells<Number> &in, const MakeWriter &make_writer,
           double *const partial, const Finish &finish)
  {
    using Cells        = HostCells<Target, Number>;
    using Value        = typename Cells::Value;
    const auto element = reference_element<E, Number>();
    for_each_batch(
      in.blocks, in.batches_per_block, in.conflict, partial,
      [&](const std::int64_t index) {
        const Cells batch(index);
        auto writer = make_writer(batch);
        emit_cell_matrix<strategy, F, E, 0, Value>(
          element, AnyGeometry<E, Cells, Number>(batch, in.cells),
          CellFields<F, E, Cells, Number>(batch, in.cells, in.fields, element),
          writer);
        return finish(batch, writer);
      });
  }

  template <Strategy strategy, class F, class E, class Target, class Number,
            class MakeWriter>
  TESSERA_HOST void
  emit_all(const AssemblyCells<Number> &in, const MakeWriter &make_writer)
  {
    emit_all<strategy, F, E, Target, Number>(
      in, make_writer, nullptr,
      [](const auto &, const auto &) { return Number(0); });
  }
} // namespace tessera
