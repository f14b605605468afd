#include "node_dofs.h"

#include <tessera/fem/bridge/known_dofs.h>

#include <tessera/base/parallel_vector.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tessera
{
  std::vector<int>
  cells_at_surfaces(const MeshArrays &mesh, const ElementNodes &nodes)
  {
    const int n = mesh.corners_per_cell(), n_cells = mesh.n_cells();
    const int *const corners   = mesh.corners.data();
    const auto *const material = mesh.materials.data();
    auto is_there              = parallel_vector<char>(mesh.n_vertices());
    // The first nodes are the vertices.
    for (std::size_t i = 0; i < nodes.of_faces.size(); ++i)
      if (const int node = nodes.of_faces.data()[i]; node < mesh.n_vertices())
        is_there[node] = 1;
    bool differ = false; // materials
#pragma omp parallel for schedule(static) reduction(|| : differ)
    for (int c = 0; c < n_cells; ++c)
      differ = differ || material[c] != material[0];
    if (differ)
      {
        std::vector<std::int64_t> first(mesh.n_vertices(), -1);
        for (int c = 0; c < n_cells; ++c)
          for (int v = 0; v < n; ++v)
            {
              const int vertex = corners[std::size_t(c) * n + v];
              if (first[vertex] < 0)
                first[vertex] = material[c];
              else if (first[vertex] != material[c])
                is_there[vertex] = 1;
            }
      }
    auto is_wanted = parallel_vector<char>(n_cells);
#pragma omp parallel for schedule(static)
    for (int c = 0; c < n_cells; ++c)
      for (int v = 0; v < n; ++v)
        is_wanted[c] |= is_there[corners[std::size_t(c) * n + v]];
    std::vector<int> cells;
    const auto begin = is_wanted.begin(), end = is_wanted.end();
    for (auto at = begin; (at = std::find(at, end, char(1))) != end; ++at)
      cells.push_back(static_cast<int>(at - begin));
    return cells;
  }


  template <int dim>
  std::vector<int>
  numbers_of_dofs(const dealii::DoFHandler<dim> &dof_handler,
                  const ElementNodes &nodes, const std::vector<int> &cells)
  {
    const std::size_t n_c = dof_handler.get_fe().n_components();
    auto result           = parallel_vector<int>(dof_handler.n_dofs());
    for_node_dofs(
      cell_type_of(dof_handler.get_triangulation()), dof_handler,
      [&](const std::size_t known, const std::vector<int> &indices) {
        const std::size_t whole = cells.empty() ? known : cells[known];
        const int *const of_cell =
          nodes.of_cells.data() + whole * (indices.size() / n_c);
        for (std::size_t i = 0; i < indices.size(); ++i)
          {
            const int number =
              static_cast<int>(of_cell[i / n_c] * n_c + i % n_c);
#pragma omp atomic write
            result[indices[i]] = number;
          }
      });
    auto is_taken = parallel_vector<char>(std::size_t(nodes.n_nodes) * n_c);
    for (const int number : result)
      if (std::exchange(is_taken[number], 1) != 0)
        throw std::logic_error(
          "deal.II has other degrees of freedom than arrays");
    return result;
  }


  template <int dim>
  BoundaryCells<dim>::BoundaryCells(const MeshArrays &mesh,
                                    const ElementNodes &nodes,
                                    const dealii::FiniteElement<dim> &fe,
                                    std::vector<int> at_surfaces,
                                    const Triangulate<dim> &triangulate)
    : n_dofs(std::size_t(nodes.n_nodes) * fe.n_components()),
      n_cells(mesh.n_cells()), cells(std::move(at_surfaces))
  {
    triangulate(triangulation, cells);
    dof_handler.reinit(triangulation);
    dof_handler.distribute_dofs(fe);
    dofs = numbers_of_dofs(dof_handler, nodes, cells);
  }


#define INSTANTIATE(dim)                                                     \
  template std::vector<int> numbers_of_dofs(const dealii::DoFHandler<dim> &, \
                                            const ElementNodes &,            \
                                            const std::vector<int> &);       \
  template class BoundaryCells<dim>;
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
