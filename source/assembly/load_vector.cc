#include <tessera/assembly/load_vector.h>
#include <tessera/base/error.h>
#include <tessera/forms/coefficient_data.h>
#include <tessera/space/element.h>

#include "load_vector_kernels.h"

namespace tessera
{
  template <class Number>
  void
  add_load_vector(Vector<Number> &b, const CellData<Number> &cells,
                  const Coefficient &source, const Conflict conflict,
                  const Stream stream)
  {
    check_conflict(conflict, cells.backend(), "the load vector");
    const Space &space = cells.space();
    const CoefficientData<Number> data(source, cells);
    on_target(cells.backend(), [&](const auto target) {
      on_element(space.cell_type, space.degree, [&](auto e) {
        for (const BlockList &blocks : cells.launches(conflict))
          add_load_on<decltype(e), Number>(target,
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
