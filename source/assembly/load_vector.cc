#include <tessera/assembly/load_vector.h>
#include <tessera/base/degree.h>
#include <tessera/base/error.h>
#include <tessera/forms/coefficient_data.h>

#include "load_vector_kernels.h"

namespace tessera
{
  template <class Number>
  void
  add_load_vector(Vector<Number> &b, const CellData<Number> &cells,
                  const Coefficient &source, const Conflict conflict,
                  const Stream stream)
  {
    if (conflict == Conflict::none && cells.backend() == Backend::cuda)
      throw ParameterError(
        "The load vector needs the conflict handling "
        "atomics or coloring on the backend cuda, not "
        "none.");
    const CoefficientData<Number> data(source, cells);
    on_target(cells.backend(), [&](const auto target) {
      on_degree(cells.space().degree, [&](const auto degree) {
        for (const BlockList &blocks : cells.launches(conflict))
          add_load_on<degree.value, Number>(target,
                                            {cells.view(conflict),
                                             cells.batches_per_block(),
                                             blocks,
                                             conflict,
                                             nullptr,
                                             b.data(),
                                             true,
                                             {}},
                                            data.view(), stream);
      });
    });
    // The source's memory must outlive what was issued.
    if (cells.backend() == Backend::cuda)
      runtime::synchronize(stream);
  }

  template void
  add_load_vector<double>(Vector<double> &, const CellData<double> &,
                          const Coefficient &, Conflict, Stream);
  template void
  add_load_vector<float>(Vector<float> &, const CellData<float> &,
                         const Coefficient &, Conflict, Stream);
} // namespace tessera
