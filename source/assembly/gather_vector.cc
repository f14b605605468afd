#include <tessera/assembly/gather_vector.h>

#include "gather_vector_kernels.h"

#include <stdexcept>

namespace tessera
{
  template <class Number>
  GatherVector<Number>::GatherVector(const CellData<Number> &cells)
    : n_rows(cells.space().n_cells() > 0 ? cells.space().padding_index() : 0),
      n_nodes(cells.space().dofs_per_cell()), lanes(cells.lanes()),
      of_cells(cells.backend(),
               std::size_t(cells.n_batches()) * lanes * n_nodes)
  {
    if (n_rows > 0)
      around = list_cells_of_rows(cells, n_rows, true);
  }


  template <class Number>
  void
  GatherVector<Number>::add_to(Vector<Number> &b, const Stream stream) const
  {
    if (n_rows == 0)
      return;
    if (b.size() != n_rows + 1)
      throw std::length_error("GatherVector: the vector is of other cells");
    const GatherEntries<Number> rows{around.start.data(),
                                     around.entries.data(),
                                     of_cells.data(),
                                     n_rows,
                                     static_cast<unsigned int>(n_nodes),
                                     static_cast<unsigned int>(lanes)};
    Number *const y = b.data();
    if (b.backend() == Backend::cuda)
      return add_gathered(rows, y, stream);
#pragma omp parallel for schedule(static)
    for (int row = 0; row < n_rows; ++row)
      y[row] += rows.sum(row);
  }


  template class GatherVector<double>;
  template class GatherVector<float>;
} // namespace tessera
