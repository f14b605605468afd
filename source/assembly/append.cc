#include <tessera/assembly/append.h>
#include <tessera/assembly/strategy.h>

namespace tessera
{
  template <class Number>
  void
  append_rows(const AppendSink<Number> &sink, const FormData<Number> &form,
              const std::string &strategy, const Conflict conflict,
              const Stream stream)
  {
    const CellData<Number> &cells = form.cells();
    check_conflict(conflict, cells.backend(), "appending to rows");
    const StrategyKernels<Number> &kernels = strategy_kernels<Number>(
      form.form(), strategy, cells.space(), "appending to rows");
    form.for_each_launch(conflict, [&](const AssemblyCells<Number> &in) {
      kernels.append_rows(cells.backend(), cells.space(), in, sink, stream);
    });
  }

  template void
  append_rows<double>(const AppendSink<double> &, const FormData<double> &,
                      const std::string &, Conflict, Stream);
  template void
  append_rows<float>(const AppendSink<float> &, const FormData<float> &,
                     const std::string &, Conflict, Stream);
} // namespace tessera
