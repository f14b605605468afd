#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/fields/cells_in_order.h>
#include <tessera/fem/fields/derived_quantities.h>
#include <tessera/parallel/node_exchange.h>

#include <deal.II/fe/fe_values.h>

#include <stdexcept>

namespace tessera
{
  namespace
  {
    /// Adds the sums of other processes at nodes that they share.
    void
    add_shared(std::vector<dealii::Vector<double>> &sums,
               const Division &division, const MeshNodes &shared)
    {
      const NodeExchange exchange(division.processes(), shared);
      for (auto &sum : sums)
        {
          std::vector<double> values(sum.begin(), sum.end());
          exchange.export_add(values);
          exchange.import(values);
          std::copy(values.begin(), values.end(), sum.begin());
        }
    }
  } // namespace


  template <int dim>
  std::vector<dealii::Vector<double>>
  smooth(const DerivedQuantities<dim> &derived,
         const dealii::Mapping<dim> &mapping,
         const dealii::DoFHandler<dim> &dof_handler,
         const dealii::DoFHandler<dim> &nodes, const Division *const division,
         const MeshNodes *const dofs)
  {
    using Cell                 = typename DerivedQuantities<dim>::Cell;
    const auto &fe             = nodes.get_fe();
    const auto &of_solution    = dof_handler.get_fe();
    const auto &mesh           = dof_handler.get_triangulation();
    const std::size_t n        = fe.n_dofs_per_cell(),
                      n_fields = derived.columns().size();
    if (fe != of_solution.base_element(0) ||
        &nodes.get_triangulation() != &mesh)
      throw std::length_error("smooth: nodes of another element");
    std::vector<Cell> cells;
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (is_here(division, cell))
        cells.push_back(cell);
    const auto rule =
      cell_quadrature<dim>(cell_type_of(mesh), static_cast<int>(fe.degree));
    // The sums of the fields, and the volumes of the cells at a node.
    std::vector<dealii::Vector<double>> sums(
      n_fields + 1, dealii::Vector<double>(nodes.n_dofs()));
    // How the nodes are shared, which is how their first components are.
    MeshNodes shared{std::vector<int>(nodes.n_dofs(), -1),
                     std::vector<std::int64_t>(nodes.n_dofs(), -1)};
    std::vector<dealii::types::global_dof_index> indices(n),
      components(of_solution.n_dofs_per_cell());
    add_in_order(
      static_cast<std::ptrdiff_t>(cells.size()), 1 + n_fields * n,
      [&]() {
        return [&, at_nodes = derived.at(fe.get_unit_support_points()),
                volumes = dealii::FEValues<dim>(mapping, fe, rule,
                                                dealii::update_JxW_values)](
                 const std::ptrdiff_t c, double *values) mutable {
          volumes.reinit(
            typename dealii::Triangulation<dim>::active_cell_iterator(
              cells[c]));
          double &volume = *values++;
          volume         = 0;
          for (const double dx : volumes.get_JxW_values())
            volume += dx;
          at_nodes(cells[c], values);
        };
      },
      [&](const std::ptrdiff_t c, const double *values) {
        const double volume = *values++;
        const Cell &cell    = cells[c];
        Cell(&mesh, cell->level(), cell->index(), &nodes)
          ->get_dof_indices(indices);
        cell->get_dof_indices(components);
        for (std::size_t i = 0; i < n; ++i)
          {
            const auto node = indices[i];
            if (division != nullptr)
              {
                const auto first =
                  components[of_solution.component_to_system_index(0, i)];
                shared.owner[node] = dofs->owner[first];
                shared.id[node]    = dofs->id[first];
              }
            for (std::size_t k = 0; k < n_fields; ++k)
              sums[k][node] += volume * *values++;
            sums[n_fields][node] += volume;
          }
      });
    if (division != nullptr)
      add_shared(sums, *division, shared);
    for (std::size_t k = 0; k < n_fields; ++k)
      for (std::size_t i = 0; i < sums[k].size(); ++i)
        if (sums[n_fields][i] > 0)
          sums[k][i] /= sums[n_fields][i];
    sums.pop_back();
    return sums;
  }


#define INSTANTIATE(dim)                                              \
  template std::vector<dealii::Vector<double>> smooth(                \
    const DerivedQuantities<dim> &, const dealii::Mapping<dim> &,     \
    const dealii::DoFHandler<dim> &, const dealii::DoFHandler<dim> &, \
    const Division *, const MeshNodes *);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
