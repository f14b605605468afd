#pragma once

#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/form_data.h>
#include <tessera/study/matrix/append_sink.h>

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

  /// Appends the rows of the matrices of boundary faces in the same way.
  template <class Number>
  void
  append_rows(const AppendSink<Number> &sink,
              const BoundaryMatrices<Number> &boundary, Conflict conflict,
              Stream stream = {});
} // namespace tessera
