#pragma once

#include <tessera/assembly/options.h>
#include <tessera/forms/coefficient_data.h>
#include <tessera/matrix/append_sink.h>

namespace tessera
{
  /// Appends the rows of all cell matrices to those of a matrix, as they come:
  /// columns repeat, in an order that is fixed but for `Conflict::atomics`
  /// (RegulyGiles2015, section 7). Throws ParameterError for other conflict
  /// handlings than atomics, coloring and, on the host, none.
  template <class Number>
  void
  append_rows(const AppendSink<Number> &sink, const CellData<Number> &cells,
              const CoefficientView<Number> &kappa, Strategy strategy,
              Conflict conflict, Stream stream = {});
} // namespace tessera
