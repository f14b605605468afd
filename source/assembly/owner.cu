#include <tessera/base/launch.h>

#include "owner.cuh"
#include "warp_rows.cuh"
#include <tessera/space/device_cells.cuh>

namespace tessera
{
  namespace
  {
    constexpr int threads = 64;

    template <class E, bool stored, class Slot, class Number>
    TESSERA_KERNEL(threads, 1)
    void own_rows(TESSERA_ARGUMENT(OwnedRows<Number>) in, const Slot *slots,
                  const bool flat,
                  TESSERA_ARGUMENT(ReferenceElement<E, Number>) element)
    {
      sum_rows<E, threads>(in.sink, flat, [&](const int row, const auto &add) {
        for_each_owned_entry<E, stored, DeviceCell<Number>>(in, slots, element,
                                                            row, add);
      });
    }
  } // namespace


  template <class E, class Number>
  void
  assemble_owned(Cuda, const OwnedRows<Number> &rows, const Stream stream)
  {
    if constexpr (E::cell_type != CellType::hexahedron)
      {
        const Shape shape{(rows.sink.n_rows + threads - 1) / threads, threads};
        const bool flat    = rows.sink.rows.follow_one_another();
        const auto element = reference_element<E, Number>();
        on_geometry(rows.cells, [&](const auto stored) {
          constexpr bool known = decltype(stored)::value;
          if (rows.sink.slots_8 != nullptr)
            launch(own_rows<E, known, std::uint8_t, Number>, shape, stream,
                   rows, rows.sink.slots_8, flat, element);
          else
            launch(own_rows<E, known, std::uint16_t, Number>, shape, stream,
                   rows, rows.sink.slots_16, flat, element);
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
