#include "node_dofs.h"

#include <tessera/fem/bridge/known_dofs.h>

#include <tessera/base/parallel_vector.h>

#include <stdexcept>
#include <utility>

namespace tessera
{
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


  template std::vector<int>
  numbers_of_dofs(const dealii::DoFHandler<2> &, const ElementNodes &);
  template std::vector<int>
  numbers_of_dofs(const dealii::DoFHandler<3> &, const ElementNodes &);
} // namespace tessera
