#include <tessera/space/host_scatter.h>

#include "form_on_cell.cuh"
#include "hexahedron_lanes.h"
#include "launches.h"
#include "this_form.h"

namespace tessera
{
  namespace
  {
    /// The tables of the element that `evaluate_cell` takes.
    template <class E, class Number>
    auto
    lane_element()
    {
      if constexpr (E::cell_type == CellType::hexahedron)
        return CollocatedElement<E, Number>();
      else
        return reference_element<E, Number>();
    }

    template <class F, Quantity quantity, class E, bool stored, class Target,
              class Number>
    TESSERA_HOST void
    apply_all(const CellApply<Number> &apply, const FieldsView<Number> &view)
    {
      using Cells        = HostCells<Target, Number>;
      using Value        = typename Cells::Value;
      using Work         = PointWork<F, quantity>;
      const auto element = lane_element<E, Number>();

      for_each_batch(apply.blocks, apply.batches_per_block, apply.conflict,
                     apply.sum.result != nullptr ? apply.sum.partial : nullptr,
                     [&](const std::int64_t index) {
                       const Cells batch(index);
                       RegisterValues<Work::n_in * E::n, Value> u;
                       Value r[F::n_components * E::n];
                       gather_form<F, E, Work::n_in>(batch, apply, view, u);
                       form_on_cell<F, quantity, E, stored>(
                         batch, apply.cells, view, element,
                         [&](const int q, Value(&k)[F::n_coefficients]) {
                           read_coefficient<F>(batch, view.coefficient, q, k);
                         },
                         u, r);
                       if constexpr (quantity == Quantity::state)
                         return Number(0);
                       scatter<F::n_components>(batch, apply, r);
                       if (apply.sum.result == nullptr)
                         return Number(0);
                       // A cell that fills up the batch has a solution of zero,
                       // for which the form need not be finite.
                       if constexpr (F::reads_solution)
                         for (int lane = 0; lane < Cells::lanes; ++lane)
                           if (index * Cells::lanes + lane >=
                               apply.cells.n_cells)
                             for (auto &value : r)
                               value.set(lane, Number(0));
                       return energy(u, r);
                     });
    }
  } // namespace

  template <class F, class E, class Number, class Target, IfHost<Target>>
  void
  apply_on(Target, const CellApply<Number> &apply,
           const FieldsView<Number> &fields, const Quantity quantity, Stream)
  {
    on_geometry(apply.cells, [&](const auto stored) {
      on_quantity<F>(quantity, [&](const auto chosen) {
        constexpr Quantity quantity = decltype(chosen)::value;
        constexpr bool is_stored    = decltype(stored)::value;
        on_points<F, quantity, E>(
          apply.cells, fields.coefficient, [&](const auto points) {
            apply_all<F, quantity, std::decay_t<decltype(points)>, is_stored,
                      Target>(apply, fields);
          });
      });
    });
  }

#define INSTANTIATE(E, Number)                                          \
  template void apply_on<ThisForm<E::dim>, E, Number>(                  \
    TESSERA_ISA, const CellApply<Number> &, const FieldsView<Number> &, \
    Quantity, Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
