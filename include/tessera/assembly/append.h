#pragma once

#include <tessera/assembly/form_data.h>

namespace tessera
{
  /// Computes the matrices of all cells and appends their rows to the rows of a
  /// matrix (RegulyGiles2015, section 7). Entries of different cells in the
  /// same column are not combined, so columns repeat within a row. Their order
  /// is fixed except with `Conflict::atomics`. Throws ParameterError for
  /// `Conflict::none` on the device.
  template <class Number>
  void
  append_rows(const AppendSink<Number> &sink, const FormData<Number> &form,
              const std::string &strategy, Conflict conflict,
              Stream stream = {});
} // namespace tessera
