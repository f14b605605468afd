#include <tessera/assembly/owner.h>
#include <tessera/base/target.h>
#include <tessera/space/element.h>

#include "owner_kernels.h"

namespace tessera
{
  template <class Number>
  Owner<Number>::Owner(const CellData<Number> &cells) : cells(cells)
  {
    check_row_assembly(Conflict::owner, Strategy::redundant_compute,
                       cells.space().cell_type, cells.backend());
    around = list_cells_of_rows(cells, cells.space().n_owned, true);
  }


  template <class Number>
  void
  Owner<Number>::assemble(const SlotSink<Number> &sink,
                          const CoefficientView<Number> &kappa,
                          const Stream stream) const
  {
    on_target(cells.backend(), [&](const auto target) {
      on_element(cells.space().cell_type, cells.space().degree, [&](auto e) {
        assemble_owned<decltype(e), Number>(target,
                                            {cells.view(Conflict::owner), kappa,
                                             around.start.data(),
                                             around.entries.data(), sink},
                                            stream);
      });
    });
  }


  template class Owner<double>;
  template class Owner<float>;
} // namespace tessera
