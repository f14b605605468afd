#include <tessera/base/launch.h>

#include "gather.cuh"
#include "warp_rows.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 64;

    template <class E, class Slot, class Number>
    TESSERA_KERNEL(threads, 1)
    void gather(TESSERA_ARGUMENT(GatherRows<Number>) in, const Slot *slots,
                const bool flat)
    {
      sum_rows<E, threads>(in.sink, flat, [&](const int row, const auto &add) {
        for_each_contribution<E, 32>(in, slots, row, add);
      });
    }
  } // namespace


  template <class E, class Number>
  void
  gather_rows(Cuda, const GatherRows<Number> &rows, const Stream stream)
  {
    const Shape shape{(rows.sink.n_rows + threads - 1) / threads, threads};
    const bool flat = rows.sink.rows.follow_one_another();
    if (rows.sink.slots_8 != nullptr)
      launch(gather<E, std::uint8_t, Number>, shape, stream, rows,
             rows.sink.slots_8, flat);
    else
      launch(gather<E, std::uint16_t, Number>, shape, stream, rows,
             rows.sink.slots_16, flat);
  }


#define INSTANTIATE(E, Number)                                           \
  template void gather_rows<E, Number>(Cuda, const GatherRows<Number> &, \
                                       Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
