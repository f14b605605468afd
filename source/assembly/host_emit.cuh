#pragma once

#include <tessera/forms/laplace.h>
#include <tessera/space/host_cells.h>

#include "assemble_kernels.h"
#include "sinks.cuh"
#include "strategies.cuh"

namespace tessera
{
  /// The matrices of all cells of a launch, batch by batch, row by row into the
  /// writers of `make_writer(batch)`; blocks of cells go in parallel.
  template <Strategy strategy, class E, class Target, class Number,
            class MakeWriter>
  TESSERA_HOST void
  emit_all(const AssemblyCells<Number> &in, const MakeWriter &make_writer)
  {
    using Form         = Laplace<E::dim>;
    using Cells        = HostCells<Target, Number>;
    using Value        = typename Cells::Value;
    const auto element = reference_element<E, Number>();
    for_each_batch<Number>(
      in.blocks, in.batches_per_block, in.conflict, nullptr,
      [&](const std::int64_t index) {
        const Cells batch(index);
        auto writer = make_writer(batch);
        emit_cell_matrix<strategy, Form, E, 0, Value>(
          element, AnyGeometry<E, Cells, Number>(batch, in.cells),
          [&](const int q, Value(&k)[Form::n_coefficients]) {
            batch.coefficient(in.kappa, q, k);
          },
          writer);
        return Number(0);
      });
  }
} // namespace tessera
