#include <tessera/assembly/append.h>

#include "append_kernels.h"
#include "assembly_launches.h"

namespace tessera
{
  template <class Number>
  void
  append_rows(const AppendSink<Number> &sink, const CellData<Number> &cells,
              const CoefficientView<Number> &kappa, const Strategy strategy,
              const Conflict conflict, const Stream stream)
  {
    check_conflict(conflict, cells.backend(), "appending to rows");
    for_each_launch(
      cells, kappa, conflict, [&](const auto target, auto e, const auto &in) {
        append_rows_on<decltype(e), Number>(target, in, sink, strategy, stream);
      });
  }

#define INSTANTIATE(Number)                               \
  template void append_rows<Number>(                      \
    const AppendSink<Number> &, const CellData<Number> &, \
    const CoefficientView<Number> &, Strategy, Conflict, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
