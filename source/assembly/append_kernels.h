#pragma once

#include <tessera/matrix/append_sink.h>

#include "assemble_kernels.h"

namespace tessera
{
  template <class E, class Number>
  void
  append_rows_on(Cuda, const AssemblyCells<Number> &cells,
                 const AppendSink<Number> &sink, Strategy strategy,
                 Stream stream);

  template <class E, class Number, class Target, IfHost<Target> = 0>
  void
  append_rows_on(Target, const AssemblyCells<Number> &cells,
                 const AppendSink<Number> &sink, Strategy strategy,
                 Stream stream);
} // namespace tessera
