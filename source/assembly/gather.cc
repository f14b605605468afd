#include <tessera/assembly/assemble.h>
#include <tessera/assembly/gather.h>
#include <tessera/base/target.h>
#include <tessera/space/element.h>
#include <tessera/space/local_entry.h>

#include "gather_kernels.h"

namespace tessera
{
  template <class Number>
  Gather<Number>::Gather(const CellData<Number> &cells)
    : cells(cells),
      around(list_cells_of_rows(cells, cells.space().n_stored(), true)),
      matrices(cells.backend(),
               std::size_t(cells.n_batches()) * cells.lanes() *
                 n_local_entries(true, cells.space().dofs_per_cell()))
  {}


  template <class Number>
  void
  Gather<Number>::assemble(const SlotSink<Number> &sink,
                           const FormData<Number> &form,
                           const Strategy strategy, const Stream stream) const
  {
    assemble_local(matrices.data(), true, form, strategy, stream);
    on_target(cells.backend(), [&](const auto target) {
      on_element(cells.space().cell_type, cells.space().degree, [&](auto e) {
        gather_rows<decltype(e), Number>(
          target,
          {around.start.data(), around.entries.data(), matrices.data(), sink},
          stream);
      });
    });
  }


  template class Gather<double>;
  template class Gather<float>;
} // namespace tessera
