#pragma once

#include <tessera/fem/bridge/active_cells.h>
#include <tessera/fem/bridge/flatten.h>

#include <vector>

namespace tessera
{
  /// Calls `work(cell, indices)` for every active cell, by all threads;
  /// component c of node i, in the order of `CellType`, has the degree of
  /// freedom indices[i n_components + c].
  template <int dim, class Work>
  void
  for_node_dofs(const CellType type, const dealii::DoFHandler<dim> &dof_handler,
                const Work &work)
  {
    const auto &fe        = dof_handler.get_fe();
    const std::size_t n_c = fe.n_components(), n = fe.dofs_per_cell;
    std::vector<unsigned int> local =
      to_local_order<dim>(type, static_cast<int>(fe.degree));
    if (n_c > 1)
      {
        std::vector<unsigned int> of_components;
        for (const unsigned int i : local)
          for (std::size_t c = 0; c < n_c; ++c)
            of_components.push_back(fe.component_to_system_index(c, i));
        local = of_components;
      }
    for_active_cells(dof_handler, [&]() {
      return [&, indices = std::vector<dealii::types::global_dof_index>(n),
              ordered = std::vector<int>(n)](const auto &cell) mutable {
        cell->get_dof_indices(indices);
        for (std::size_t i = 0; i < n; ++i)
          ordered[i] = static_cast<int>(indices[local[i]]);
        work(cell->active_cell_index(), ordered);
      };
    });
  }

  /// How deal.II numbers the nodes of cells. Nodes with one component have the
  /// indices of the degrees of freedom; others have the indices of their first
  /// components, counted without gaps.
  struct NodeDofs
  {
    std::vector<int> of_cells; ///< [n_cells][n], in the order of `CellType`
    /// The index of the components of every node, [n_nodes][n_components];
    /// empty if there is one component, with the node's index.
    std::vector<int> dofs;
  };

  template <int dim>
  NodeDofs
  nodes_of_cells(CellType type, const dealii::DoFHandler<dim> &dof_handler);

  /// Returns for every degree of freedom of deal.II its number in arrays of the
  /// same cells, node * n_components + component, [n_dofs]. Throws
  /// std::logic_error if two of deal.II's have the same number.
  template <int dim>
  std::vector<int>
  numbers_of_dofs(const dealii::DoFHandler<dim> &dof_handler,
                  const ElementNodes &nodes);
} // namespace tessera
