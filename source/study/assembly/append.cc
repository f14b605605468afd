#include <tessera/study/assembly/append.h>
#include <tessera/study/assembly/study_kernels.h>

#include "../../assembly/boundary_terms_kernels.h"
#include "append_faces.h"

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
    const StudyKernels<Number> &kernels = study_kernels<Number>(
      form.form(), strategy, cells.space(), "appending to rows");
    form.for_each_launch(conflict, [&](const AssemblyCells<Number> &in) {
      kernels.append_rows(cells.backend(), cells.space(), in, sink, stream);
    });
  }

  template <class Number>
  void
  append_rows(const AppendSink<Number> &sink,
              const BoundaryMatrices<Number> &boundary, const Conflict conflict,
              const Stream stream)
  {
    for_each_face_launch<Number>(
      boundary.faces(), conflict, nullptr, nullptr,
      [&](const auto target, const CellApply<Number> &faces) {
        append_face_rows_on(target, faces, boundary.values().data(),
                            boundary.n_components(), sink, stream);
      });
  }

#define INSTANTIATE(Number)                                                 \
  template void append_rows<Number>(const AppendSink<Number> &,             \
                                    const FormData<Number> &,               \
                                    const std::string &, Conflict, Stream); \
  template void append_rows<Number>(const AppendSink<Number> &,             \
                                    const BoundaryMatrices<Number> &,       \
                                    Conflict, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
