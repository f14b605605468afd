#pragma once

#include <tessera/forms/laplace.h>
#include <tessera/space/cells.cuh>

#include "owner_kernels.h"
#include "strategies.cuh"

namespace tessera
{
  /// Hands on the values of a row with their slots.
  template <int lanes, class Slot, class Add>
  struct OwnerWriter
  {
    static constexpr bool upper = false;
    const Slot *slots; ///< of the row in the cell's matrix
    const Add &add;

    template <int W, class Number>
    TESSERA_HOST_DEVICE void
    put(int, const int j0, const Number (&values)[W])
    {
      constexpr Slot none = static_cast<Slot>(-1);
      TESSERA_UNROLL
      for (int k = 0; k < W; ++k)
        {
          const Slot slot = read_only(slots + (j0 + k) * lanes);
          if (slot != none)
            add(static_cast<int>(slot), values[k]);
        }
    }
  };

  /// Calls `add(slot, value)` for all that the cells of a row have for it, cell
  /// by cell in ascending order. `Cell` is made of a view and a number.
  template <class E, bool stored, class Cell, class Slot, class Number,
            class Add>
  TESSERA_HOST_DEVICE void
  for_each_owned_entry(const OwnedRows<Number> &in, const Slot *slots,
                       const ReferenceElement<E, Number> &element,
                       const int row, const Add &add)
  {
    using Form             = Laplace<E::dim>;
    constexpr int n        = E::n;
    const std::int64_t end = in.start[row + 1];
    for (std::int64_t k = in.start[row]; k < end; ++k)
      {
        const unsigned int entry = in.entries[k];
        const int i              = static_cast<int>(entry % n);
        const Cell cell(in.cells, entry / n);
        OwnerWriter<Cell::lanes, Slot, Add> writer{
          slots + cell.place(n * n, i * n), add};
        with_geometry<E, stored>(cell, in.cells, [&](const auto &geometry) {
          const auto kappa = [&](const int q,
                                 Number(&values)[Form::n_coefficients]) {
            cell.coefficient(in.kappa, q, values);
          };
          const Metric<Strategy::redundant_compute, Form, E, 0, Number, Number,
                       std::decay_t<decltype(geometry)>, decltype(kappa)>
            metric(element, geometry, kappa, nullptr);
          emit_row<E, Number>(element, metric, i, writer);
        });
      }
  }
} // namespace tessera
