#include "numbering.h"

#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/space/quadrature.h>
#include <tessera/space/reference_cell.h>
#include <tessera/space/space.h>

#include <algorithm>
#include <cstddef>

namespace tessera
{
  namespace
  {
    const std::vector<std::string> cell_type_names = {
#define TESSERA_CELL_TYPE(name, sentence, dim, vertices, degree) #name,
#include <tessera/space/cell_types.def>
#undef TESSERA_CELL_TYPE
    };

    const std::vector<std::string> geometry_names = {
#define TESSERA_GEOMETRY(name, sentence) #name,
#include <tessera/space/geometries.def>
#undef TESSERA_GEOMETRY
    };

    const std::vector<std::string> cell_order_names = {
#define TESSERA_CELL_ORDER(name, sentence) #name,
#include <tessera/space/cell_orders.def>
#undef TESSERA_CELL_ORDER
    };
  } // namespace


  std::string
  to_string(const CellType type)
  {
    return cell_type_names.at(int(type));
  }


  CellType
  cell_type_from_string(const std::string &name)
  {
    return static_cast<CellType>(
      index_of_name(name, cell_type_names, "cell type"));
  }


  std::string
  to_string(const Geometry geometry)
  {
    return geometry_names.at(int(geometry));
  }


  Geometry
  geometry_from_string(const std::string &name)
  {
    return static_cast<Geometry>(
      index_of_name(name, geometry_names, "geometry"));
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
  build_space(const Connectivity &mesh, const std::string &numbering,
              const CellOrder cell_order, const int block_side)
  {
    mesh.check();
    Space space = internal::number(mesh, internal::places(mesh), numbering,
                                   cell_order, block_side);
    if (space.n_owned == 0)
      throw MeshError(
        "All " + std::to_string(mesh.n_dofs) +
        (mesh.n_components > 1 ? " nodes" : " degrees of freedom") +
        " of the mesh are constrained, but "
        "at least one must be free.");
    return space;
  }


  std::vector<double>
  quadrature_points(const Space &space)
  {
    if (space.geometry == Geometry::quadrature)
      return space.points;
    const int dim = space.dim(), nv = space.vertices_per_cell();
    const int nq = space.points_per_cell(), n_cells = space.n_cells();
    const std::vector<double> weights = vertex_functions(
      space.cell_type, cell_rule(space.cell_type, space.degree).points);
    auto result = parallel_vector<double>(std::size_t(dim) * nq * n_cells);
#pragma omp parallel for schedule(static)
    for (int c = 0; c < n_cells; ++c)
      {
        const int *const corner = &space.cell_vertices[std::size_t(nv) * c];
        double *const to        = &result[std::size_t(dim) * nq * c];
        for (int q = 0; q < nq; ++q)
          for (int d = 0; d < dim; ++d)
            for (int v = 0; v < nv; ++v)
              to[q * dim + d] +=
                weights[q * nv + v] *
                space.vertices[std::size_t(dim) * corner[v] + d];
      }
    return result;
  }
} // namespace tessera
