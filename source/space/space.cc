#include "numbering.h"

#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/space/quadrature.h>
#include <tessera/space/space.h>

#include <algorithm>
#include <cstddef>

namespace tessera
{
  namespace
  {
    const std::vector<std::string> numbering_names = {
#define TESSERA_NUMBERING(name, sentence, paper) #name,
#include <tessera/space/numberings.def>
#undef TESSERA_NUMBERING
    };

    const std::vector<std::string> cell_order_names = {
#define TESSERA_CELL_ORDER(name, sentence) #name,
#include <tessera/space/cell_orders.def>
#undef TESSERA_CELL_ORDER
    };
  } // namespace


  std::string
  to_string(const Numbering numbering)
  {
    return numbering_names.at(int(numbering));
  }


  Numbering
  numbering_from_string(const std::string &name)
  {
    return static_cast<Numbering>(
      index_of_name(name, numbering_names, "numbering"));
  }


  std::string
  to_string(const CellOrder order)
  {
    return cell_order_names.at(int(order));
  }


  CellOrder
  cell_order_from_string(const std::string &name)
  {
    return static_cast<CellOrder>(
      index_of_name(name, cell_order_names, "cell order"));
  }


  Space
  build_space(const Connectivity &mesh, const Numbering numbering,
              const CellOrder cell_order)
  {
    using internal::Place;
    mesh.check();
    std::vector<Place> place(mesh.n_dofs);
    std::transform(mesh.constrained.begin(), mesh.constrained.end(),
                   place.begin(), [](const char constrained) {
                     return constrained ? Place::constrained : Place::owned;
                   });
    Space space = internal::number(mesh, place, numbering, cell_order);
    if (space.n_owned == 0)
      throw MeshError("All " + std::to_string(mesh.n_dofs) +
                      " degrees of freedom of the mesh are constrained, but "
                      "at least one must be free.");
    return space;
  }


  std::vector<double>
  quadrature_points(const Space &space)
  {
    const int n = space.degree + 1, n_cells = space.n_cells();
    const std::vector<double> points = gauss_points(n);
    std::vector<double> result(2 * std::size_t(n) * n * n_cells);
#pragma omp parallel for schedule(static)
    for (int c = 0; c < n_cells; ++c)
      for (int q = 0; q < n * n; ++q)
        for (int d = 0; d < 2; ++d)
          {
            const auto corner = [&](const int v) {
              return space
                .vertices[2 * std::size_t(
                                space.cell_vertices[4 * std::size_t(c) + v]) +
                          d];
            };
            const double x = points[q % n], y = points[q / n];
            result[2 * (std::size_t(n) * n * c + q) + d] =
              (1 - y) * ((1 - x) * corner(0) + x * corner(1)) +
              y * ((1 - x) * corner(2) + x * corner(3));
          }
    return result;
  }
} // namespace tessera
