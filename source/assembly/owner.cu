#include <tessera/base/global_thread.cuh>

#include <type_traits>

#include "owner.cuh"
#include "warp_rows.cuh"
#include <tessera/space/device_cells.cuh>

namespace tessera
{
  namespace
  {
    constexpr int threads = 64;

    template <class E, bool stored, bool columns, class Slot, class Number>
    TESSERA_KERNEL(threads, 1)
    void own_rows(TESSERA_ARGUMENT(OwnedRows<Number>) in, const Slot *slots,
                  const bool flat,
                  TESSERA_ARGUMENT(ReferenceElement<E, Number>) element)
    {
      sum_rows<E, threads, columns>(
        in.sink, flat, [&](const int row, const auto &add) {
          for_each_owned_entry<E, stored, DeviceCell<Number>>(
            in, slots, element, row, add);
        });
    }
  } // namespace


  template <class E, class Number>
  void
  assemble_owned(Cuda, const OwnedRows<Number> &rows, const Stream stream)
  {
    if constexpr (E::cell_type != CellType::hexahedron)
      {
        const auto element     = reference_element<E, Number>();
        const auto launch_with = [&](const auto stored, const auto *slots) {
          using Slot =
            std::remove_const_t<std::remove_pointer_t<decltype(slots)>>;
          constexpr bool known = decltype(stored)::value;
          launch(rows.sink.rows.side_by_side()
                   ? own_rows<E, known, true, Slot, Number>
                   : own_rows<E, known, false, Slot, Number>,
                 shape_of_threads<threads>(rows.sink.n_rows), stream, rows,
                 slots, rows.sink.rows.follow_one_another(), element);
        };
        on_geometry(rows.cells, [&](const auto stored) {
          if (rows.sink.slots_8 != nullptr)
            launch_with(stored, rows.sink.slots_8);
          else
            launch_with(stored, rows.sink.slots_16);
        });
      }
    else
      {
        (void)rows;
        (void)stream;
      }
  }


#define INSTANTIATE(E, Number)                                             \
  template void assemble_owned<E, Number>(Cuda, const OwnedRows<Number> &, \
                                          Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
