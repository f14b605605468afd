#include <tessera/space/cell_data.h>

#include "cell_entities_kernels.h"

namespace tessera
{
  template <class Number>
  CellEntities<Number>::CellEntities(const CellData<Number> &cells)
    : padding_index(cells.space().padding_index())
  {
    const Space &space = cells.space();
    if (cells.backend() != Backend::cuda ||
        space.cell_type != CellType::quadrilateral || space.degree < 2)
      return;
    const std::size_t n_batches = cells.n_batches();
    Array<int> misfits(Backend::cuda, 1);
    indices =
      Array<int>(Backend::cuda, n_batches * n_entries(space.degree) * lanes);
    inner                   = Array<InnerNodes>(Backend::cuda, n_batches);
    EntityArrays<Number> to = {cells.view(Conflict::atomics),
                               cells.n_batches(),
                               space.degree,
                               n_entries(space.degree),
                               padding_index,
                               indices.data(),
                               inner.data(),
                               nullptr,
                               misfits.data()};
    write_entities(to);
    if (space.geometry == Geometry::vertices && misfits.to_vector()[0] == 0)
      {
        coordinates = Array<Number>(
          Backend::cuda, 2 * (static_cast<std::size_t>(padding_index) + 4));
        to.coordinates = coordinates.data();
        write_entity_coordinates(to);
      }
    if (misfits.to_vector()[0] > 0)
      *this = CellEntities(padding_index);
  }

  template <class Number>
  EntityView<Number>
  CellEntities<Number>::view() const
  {
    return {indices.data(), inner.data(), coordinates.data(), padding_index};
  }

  template class CellEntities<double>;
  template class CellEntities<float>;
} // namespace tessera
