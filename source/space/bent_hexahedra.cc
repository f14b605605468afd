#include <tessera/base/array.h>

#include "bent_hexahedra.cuh"

namespace tessera
{
  template <class Number>
  std::int64_t
  n_bent_hexahedra(const CellView<Number> &cells)
  {
    const int n_blocks = pass_blocks(Backend::cuda, cells.n_cells);
    Array<double> partial(Backend::cuda, n_blocks), count(Backend::cuda, 1);
    Array<unsigned int> counter(Backend::cuda, 1);
    pass_over(Backend::cuda, cells.n_cells,
              internal::CountBentHexahedra<Number>{{}, cells},
              {partial.data(), counter.data(), count.data(), n_blocks}, {});
    return static_cast<std::int64_t>(count.to_vector()[0]);
  }

  template std::int64_t
  n_bent_hexahedra(const CellView<double> &);
  template std::int64_t
  n_bent_hexahedra(const CellView<float> &);
} // namespace tessera
