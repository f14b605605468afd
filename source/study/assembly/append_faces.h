#pragma once

#include <tessera/base/target.h>
#include <tessera/space/cell_apply.h>
#include <tessera/study/matrix/append_sink.h>

// Sizes are known at run time alone: faces are few, and so one kernel serves
// every type and degree.
namespace tessera
{
  /// Appends the rows of matrices of faces with m = n b rows; `matrices` and b
  /// are `values()` and `n_components()` of BoundaryMatrices.
  template <class Number>
  void
  append_face_rows_on(Cuda, const CellApply<Number> &faces,
                      const Number *matrices, int b,
                      const AppendSink<Number> &sink, Stream stream);

  template <class Number, class Target, IfHost<Target> = 0>
  void
  append_face_rows_on(Target, const CellApply<Number> &faces,
                      const Number *matrices, int b,
                      const AppendSink<Number> &sink, Stream stream);
} // namespace tessera
