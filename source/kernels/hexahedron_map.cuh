#pragma once

#include <tessera/space/device_cells.cuh>
#include <tessera/space/reference_element.h>

namespace tessera
{
  /// Where a kernel has the map of a cell from.
  enum class CellMap
  {
    trilinear, ///< the vertices
    points,    ///< stored Jacobians of the points
    linear     ///< a parallelepiped, whose metric is one for all points
  };

  /// Sets j to the stored Jacobian of point q.
  template <class E, class Number>
  TESSERA_DEVICE void
  stored_jacobian(const DeviceCell<Number> &cell, const CellView<Number> &view,
                  const ReferenceElement<E, Number> &element, const int q,
                  Number (&j)[3][3])
  {
    StoredGeometry<E, DeviceCell<Number>, Number>{
      cell, view.jacobians, view.n_jacobian_entries, view.jacobian_point_stride}
      .jacobian(element, q, j);
  }

  /// Sets j to the Jacobian of a parallelepiped, stored or from its vertices.
  template <class E, class Number>
  TESSERA_DEVICE void
  linear_jacobian(const DeviceCell<Number> &cell, const CellView<Number> &view,
                  const ReferenceElement<E, Number> &element, Number (&j)[3][3])
  {
    if (view.jacobians != nullptr)
      return stored_jacobian(cell, view, element, 0, j);
    Number x[4][3];
    TESSERA_UNROLL
    for (int v = 0; v < 4; ++v)
      cell.template vertex<8>(view, v == 3 ? 4 : v, x[v]);
    LinearGeometry<3, Number>(x).jacobian(element, 0, j);
  }
} // namespace tessera
