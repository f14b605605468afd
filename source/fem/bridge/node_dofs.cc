#include "node_dofs.h"

#include <tessera/base/parallel_vector.h>

#include <stdexcept>
#include <utility>

namespace tessera
{
  template <int dim>
  NodeDofs
  nodes_of_cells(const CellType type,
                 const dealii::DoFHandler<dim> &dof_handler)
  {
    const std::size_t n_c = dof_handler.get_fe().n_components(),
                      n   = dof_handler.get_fe().n_dofs_per_cell() / n_c;
    NodeDofs result;
    std::vector<int> node; // of a degree of freedom
    if (n_c > 1)
      {
        node = parallel_vector<int>(dof_handler.n_dofs());
        for_node_dofs(type, dof_handler,
                      [&](const std::size_t, const std::vector<int> &indices) {
                        for (std::size_t i = 0; i < n; ++i)
                          {
#pragma omp atomic write
                            node[indices[i * n_c]] = 1;
                          }
                      });
        int next = 0;
        for (int &index : node)
          index = index != 0 ? next++ : -1;
        result.dofs = parallel_vector<int>(dof_handler.n_dofs());
      }
    result.of_cells = parallel_vector<int>(
      dof_handler.get_triangulation().n_active_cells() * n);
    for_node_dofs(type, dof_handler,
                  [&](const std::size_t cell, const std::vector<int> &indices) {
                    for (std::size_t i = 0; i < n; ++i)
                      {
                        const int first = indices[i * n_c];
                        const int at    = n_c > 1 ? node[first] : first;
                        result.of_cells[cell * n + i] = at;
                        for (std::size_t c = 0; n_c > 1 && c < n_c; ++c)
                          {
#pragma omp atomic write
                            result.dofs[at * n_c + c] = indices[i * n_c + c];
                          }
                      }
                  });
    return result;
  }


  template <int dim>
  std::vector<int>
  numbers_of_dofs(const dealii::DoFHandler<dim> &dof_handler,
                  const ElementNodes &nodes)
  {
    const std::size_t n_c = dof_handler.get_fe().n_components();
    auto result           = parallel_vector<int>(dof_handler.n_dofs());
    for_node_dofs(cell_type_of(dof_handler.get_triangulation()), dof_handler,
                  [&](const std::size_t cell, const std::vector<int> &indices) {
                    const int *const of_cell =
                      nodes.of_cells.data() + cell * (indices.size() / n_c);
                    for (std::size_t i = 0; i < indices.size(); ++i)
                      {
                        const int number =
                          static_cast<int>(of_cell[i / n_c] * n_c + i % n_c);
#pragma omp atomic write
                        result[indices[i]] = number;
                      }
                  });
    std::vector<char> is_taken(std::size_t(nodes.n_nodes) * n_c, 0);
    for (const int number : result)
      if (std::exchange(is_taken[number], 1) != 0)
        throw std::logic_error(
          "deal.II has other degrees of freedom than arrays");
    return result;
  }


#define INSTANTIATE(dim)                                                       \
  template NodeDofs nodes_of_cells(CellType, const dealii::DoFHandler<dim> &); \
  template std::vector<int> numbers_of_dofs(const dealii::DoFHandler<dim> &,   \
                                            const ElementNodes &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
