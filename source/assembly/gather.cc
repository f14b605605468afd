#include <tessera/assembly/assemble.h>
#include <tessera/assembly/gather.h>
#include <tessera/base/target.h>
#include <tessera/space/element.h>
#include <tessera/space/local_entry.h>
#include <tessera/space/on_components.h>

#include "gather_kernels.h"

namespace tessera
{
  template <class Number>
  Gather<Number>::Gather(const CellData<Number> &cells, const int n_components)
    : cells(cells), n_components(n_components),
      around(list_cells_of_rows(cells, cells.space().n_stored(), true)),
      matrices(
        cells.backend(),
        std::size_t(cells.n_batches()) * cells.lanes() *
          n_local_entries(true, n_components * cells.space().dofs_per_cell()))
  {
    check_components("The route gather", cells.space(), n_components);
  }


  template <class Number>
  void
  Gather<Number>::assemble(const SlotSink<Number> &sink,
                           const FormData<Number> &form,
                           const std::string &strategy,
                           const Stream stream) const
  {
    assemble_local(matrices.data(), true, form, strategy, stream);
    on_target(cells.backend(), [&](const auto target) {
      on_element(cells.space().cell_type, cells.space().degree, [&](auto e) {
        gather_rows<decltype(e), Number>(target,
                                         {around.start.data(),
                                          around.entries.data(),
                                          matrices.data(), sink, n_components},
                                         stream);
      });
    });
  }


  template class Gather<double>;
  template class Gather<float>;
} // namespace tessera
