#include "bent_hexahedra.cuh"

namespace tessera
{
  template <class Number>
  bool
  has_linear_maps(const CellData<Number> &cells)
  {
    const Space &space = cells.space();
    if (cells.backend() == Backend::host ||
        space.cell_type != CellType::hexahedron ||
        space.geometry == Geometry::quadrature)
      return false;
    if (space.geometry == Geometry::affine)
      return true;
    const Backend device = Backend::cuda;
    const int n_blocks   = pass_blocks(device, space.n_cells());
    Array<double> partial(device, n_blocks), count(device, 1);
    Array<unsigned int> counter(device, 1);
    pass_over(
      device, space.n_cells(),
      internal::CountBentHexahedra<Number>{{}, cells.view(Conflict::atomics)},
      {partial.data(), counter.data(), count.data(), n_blocks}, {});
    return count.to_vector()[0] == 0;
  }

  template bool
  has_linear_maps(const CellData<double> &);
  template bool
  has_linear_maps(const CellData<float> &);
} // namespace tessera
