#include "mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>

#include <tessera/base/error.h>

#include <cmath>
#include <utility>

namespace tessera
{
  void
  check_degree(const CellType type, const int degree)
  {
    const int most = max_degree(type);
    if (degree >= 1 && degree <= most)
      return;
    throw ParameterError(
      "Degree " + std::to_string(degree) + " of 'Finite element/Degrees' " +
      (is_simplex(type) && degree > 0
         ? "is not available for a mesh of type " + to_string(type) +
             ", whose elements have nodes at vertices and middles of edges only"
         : "does not exist for a mesh of type " + to_string(type)) +
      "; legal are 1 to " + std::to_string(most) + ".");
  }


  template <int dim>
  void
  check_connected_parts(const Mesh<dim> &mesh,
                        const std::set<dealii::types::boundary_id> &fixing,
                        const std::vector<char> &fixing_cells)
  {
    const auto parts = mesh_tools::coarser_parts(mesh);
    if (parts.empty())
      return;
    const int n_parts = 1 + *std::max_element(parts.begin(), parts.end());
    std::vector<char> fixed(n_parts, false);
    const auto arrays       = mesh.arrays();
    const std::size_t n     = mesh.n_cells() / parts.size();
    const auto part_of_cell = [&](const std::size_t c) { return parts[c / n]; };
    for (std::size_t f = 0; f < arrays->boundary.size(); ++f)
      if (const MeshFace &face = arrays->boundary.data()[f];
          fixing.count(face.id) > 0)
        fixed[part_of_cell(face.cell)] = true;
    for (std::size_t c = 0; c < fixing_cells.size(); ++c)
      if (fixing_cells[c] != 0)
        fixed[part_of_cell(c)] = true;
    if (std::count(fixed.begin(), fixed.end(), false) == 0)
      return;
    std::size_t free = 0; // the first cell that nothing fixes
    while (fixed[part_of_cell(free)] != 0)
      ++free;
    throw MeshError(
      "The " + mesh.source +
      (n_parts == 1
         ? " has"
         : " consists of " + std::to_string(n_parts) +
             " parts without common vertices, and the part of "
             "the cell " +
             std::to_string(mesh.number_of_index(free)) + " around " +
             mesh_tools::place(
               mesh_tools::mean_of<dim>(*arrays, static_cast<int>(free))) +
             " has") +
      " no boundary where a Dirichlet or Robin condition fixes the "
      "solution, which would be free up to a constant.");
  }


  namespace mesh_tools
  {
    const std::vector<std::vector<int>> &
    faces_of(const CellType type)
    {
      using Faces                      = std::vector<std::vector<int>>;
      static const Faces quadrilateral = {{0, 2}, {1, 3}, {0, 1}, {2, 3}};
      static const Faces triangle      = {{0, 1}, {1, 2}, {2, 0}};
      static const Faces hexahedron    = {{0, 2, 4, 6}, {1, 3, 5, 7},
                                          {0, 1, 4, 5}, {2, 3, 6, 7},
                                          {0, 1, 2, 3}, {4, 5, 6, 7}};
      static const Faces tetrahedron   = {
          {0, 1, 2}, {1, 0, 3}, {0, 2, 3}, {2, 1, 3}};
      return type == CellType::quadrilateral ? quadrilateral
             : type == CellType::triangle    ? triangle
             : type == CellType::hexahedron  ? hexahedron
                                             : tetrahedron;
    }


    template <int dim>
    void
    check_cells(const Mesh<dim> &mesh)
    {
      if (mesh.n_cells() == 0)
        throw MeshError("The " + mesh.source + " has no cells.");
      if (mesh.worst_cell().quality <= smallest_quality)
        {
          const auto arrays = mesh.arrays();
          int bad           = -1; // the first one
          std::vector<dealii::Point<dim>> corners;
          do
            corners_of(*arrays, ++bad, corners);
          while (cell_quality(arrays->cell_type, corners) > smallest_quality);
          throw MeshError("The " + mesh.source +
                          " has an inverted or degenerate cell, number " +
                          std::to_string(mesh.number_of_index(bad)) +
                          " around " + place(mean_of<dim>(*arrays, bad)) + ".");
        }
      if (mesh.quadratic)
        check_curved_cells(mesh);
    }
  } // namespace mesh_tools


#define INSTANTIATE(dim)                                             \
  template void check_connected_parts(                               \
    const Mesh<dim> &, const std::set<dealii::types::boundary_id> &, \
    const std::vector<char> &);                                      \
  template void mesh_tools::check_cells(const Mesh<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
