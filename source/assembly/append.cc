#include <tessera/assembly/append.h>

namespace tessera
{
  template <class Number>
  void
  append_rows(const AppendSink<Number> &sink, const FormData<Number> &form,
              const Strategy strategy, const Conflict conflict,
              const Stream stream)
  {
    const CellData<Number> &cells = form.cells();
    check_conflict(conflict, cells.backend(), "appending to rows");
    form.for_each_launch(conflict, [&](const AssemblyCells<Number> &in) {
      form.kernels().append_rows(cells.backend(), cells.space(), in, sink,
                                 strategy, stream);
    });
  }

  template void
  append_rows<double>(const AppendSink<double> &, const FormData<double> &,
                      Strategy, Conflict, Stream);
  template void
  append_rows<float>(const AppendSink<float> &, const FormData<float> &,
                     Strategy, Conflict, Stream);
} // namespace tessera
