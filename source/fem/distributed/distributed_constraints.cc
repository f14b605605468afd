#include <tessera/fem/distributed/distributed_mesh.h>

#include <deal.II/dofs/dof_tools.h>

namespace tessera
{
  template <int dim>
  dealii::AffineConstraints<double>
  hanging_constraints(const dealii::DoFHandler<dim> &dof_handler,
                      const Division &division)
  {
    dealii::AffineConstraints<double> all, of_own_cells;
    dealii::DoFTools::make_hanging_node_constraints(dof_handler, all);
    std::vector<char> is_of_own_cell(dof_handler.n_dofs(), 0);
    std::vector<dealii::types::global_dof_index> indices(
      dof_handler.get_fe().n_dofs_per_cell());
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (is_own(division, cell))
        {
          cell->get_dof_indices(indices);
          for (const auto dof : indices)
            is_of_own_cell[dof] = 1;
        }
    for (const auto &line : all.get_lines())
      if (is_of_own_cell[line.index] != 0)
        {
          of_own_cells.add_line(line.index);
          for (const auto &[source, weight] : line.entries)
            of_own_cells.add_entry(line.index, source, weight);
        }
    of_own_cells.close();
    return of_own_cells;
  }


  dealii::AffineConstraints<double>
  shared_constraints(const dealii::AffineConstraints<double> &given,
                     const SharedDofs &dofs)
  {
    // Two numbers say whether the value of a degree of freedom is given, and
    // which one.
    const std::vector<int> &owner = dofs.nodes.owner;
    std::vector<double> values(2 * owner.size(), 0.);
    for (const auto &line : given.get_lines())
      {
        values[2 * line.index]     = 1.;
        values[2 * line.index + 1] = line.inhomogeneity;
      }
    dofs.exchange.import(values, 2);
    dealii::AffineConstraints<double> result;
    for (std::size_t dof = 0; dof < owner.size(); ++dof)
      if (owner[dof] >= 0 && values[2 * dof] != 0.)
        {
          result.add_line(dof);
          result.set_inhomogeneity(dof, values[2 * dof + 1]);
        }
    result.close();
    return result;
  }


  template dealii::AffineConstraints<double>
  hanging_constraints(const dealii::DoFHandler<2> &, const Division &);
  template dealii::AffineConstraints<double>
  hanging_constraints(const dealii::DoFHandler<3> &, const Division &);
} // namespace tessera
