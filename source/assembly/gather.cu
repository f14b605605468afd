#include <tessera/base/global_thread.cuh>

#include <type_traits>

#include "gather.cuh"
#include "warp_rows.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 64;

    template <class E, bool columns, class Slot, class Number>
    TESSERA_KERNEL(threads, 1)
    void gather(TESSERA_ARGUMENT(GatherRows<Number>) in, const Slot *slots,
                const bool flat)
    {
      sum_rows<E, threads, columns>(
        in.sink, flat, [&](const int row, const auto &add) {
          for_each_contribution<E, 32>(in, slots, row, add);
        });
    }
  } // namespace


  template <class E, class Number>
  void
  gather_rows(Cuda, const GatherRows<Number> &rows, const Stream stream)
  {
    const auto launch_with = [&](const auto *slots) {
      using Slot = std::remove_const_t<std::remove_pointer_t<decltype(slots)>>;
      launch(rows.sink.rows.side_by_side() ? gather<E, true, Slot, Number>
                                           : gather<E, false, Slot, Number>,
             shape_of_threads<threads>(rows.sink.n_rows), stream, rows, slots,
             rows.sink.rows.follow_one_another());
    };
    if (rows.sink.slots_8 != nullptr)
      launch_with(rows.sink.slots_8);
    else
      launch_with(rows.sink.slots_16);
  }


#define INSTANTIATE(E, Number)                                           \
  template void gather_rows<E, Number>(Cuda, const GatherRows<Number> &, \
                                       Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
