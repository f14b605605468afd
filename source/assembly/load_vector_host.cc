#include <tessera/space/host_scatter.h>

#include "load_vector.cuh"
#include "load_vector_kernels.h"

namespace tessera
{
  namespace
  {
    template <class E, bool stored, class Target, class Number>
    TESSERA_HOST void
    load_all(const CellApply<Number> &apply,
             const CoefficientView<Number> &source, const Route route)
    {
      using Cells        = HostCells<Target, Number>;
      using Value        = typename Cells::Value;
      const auto element = reference_element<E, Number>();
      for_each_batch(apply.blocks, apply.batches_per_block, apply.conflict,
                     nullptr, [&](const std::int64_t index) {
                       const Cells batch(index);
                       Value r[E::n];
                       with_geometry<E, stored>(
                         batch, apply.cells, [&](const auto &geometry) {
                           cell_load(
                             element, geometry,
                             [&](const int q, Value(&f)[1]) {
                               batch.coefficient(source, q, f);
                             },
                             r);
                         });
                       if (route == Route::gather)
                         for (int i = 0; i < E::n; ++i)
                           batch.store(apply.y, E::n, i, r[i]);
                       else
                         scatter(batch, apply, r);
                       return Number(0);
                     });
    }
  } // namespace

  template <class E, class Number, class Target, IfHost<Target>>
  void
  add_load_on(Target, const CellApply<Number> &apply,
              const CoefficientView<Number> &source, const Route route, Stream)
  {
    on_geometry(apply.cells, [&](const auto stored) {
      load_all<E, decltype(stored)::value, Target>(apply, source, route);
    });
  }

#define INSTANTIATE(E, Number)                                                 \
  template void add_load_on<E, Number>(TESSERA_ISA, const CellApply<Number> &, \
                                       const CoefficientView<Number> &, Route, \
                                       Stream);
#include <tessera/space/instantiate.inc>
} // namespace tessera
