#include <tessera/base/global_thread.cuh>

#include <tessera/space/on_components.h>

#include <type_traits>

#include "warp_rows.cuh"

namespace tessera
{
  namespace
  {
    constexpr int threads = 64;

    template <class E, int n_components, bool columns, class Slot, class Number>
    TESSERA_KERNEL(threads, 1)
    void gather(TESSERA_ARGUMENT(GatherRows<Number>) in, const Slot *slots,
                const bool flat)
    {
      using Part = PartOfRow<E, n_components, 32,
                             gather_members<E, n_components>, Slot, Number>;
      sum_rows<Part, E, n_components, threads, columns>(in, slots, flat);
    }
  } // namespace


  template <class E, class Number>
  void
  gather_rows(Cuda, const GatherRows<Number> &rows, const Stream stream)
  {
    const auto launch_with = [&](const auto *slots) {
      using Slot = std::remove_const_t<std::remove_pointer_t<decltype(slots)>>;
      on_components<E>(rows.n_components, [&](const auto n) {
        constexpr int n_components = decltype(n)::value;
        // Where entries of a row are apart, entries of rows are neighbours.
        launch(rows.sink.rows.stride > 1
                 ? gather<E, n_components, true, Slot, Number>
                 : gather<E, n_components, false, Slot, Number>,
               shape_of_threads<threads>(gather_members<E, n_components> *
                                         std::int64_t(n_components) *
                                         rows.sink.n_rows),
               stream, rows, slots, rows.sink.rows.follow_one_another());
      });
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
