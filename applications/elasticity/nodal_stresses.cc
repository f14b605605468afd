#include "derived_stresses.h"
#include "stress_points.h"

#include <tessera/fem/fields/cells_in_order.h>

namespace tessera
{
  using namespace stress_points;

  template <int dim>
  NodalStresses
  nodal_stresses(const StressProblem<dim> &problem,
                 const dealii::DoFHandler<dim> &nodes)
  {
    const auto derived =
      derived_stresses<dim>(problem, {"stress", "von_mises"});
    auto fields = smooth(*derived, problem.mapping, problem.dof_handler, nodes,
                         problem.division, problem.dofs_shared);
    NodalStresses result;
    // In a plane model xz and yz are 0.
    for (auto &stress : result.stress)
      stress.reinit(nodes.n_dofs());
    for (std::size_t i = 0; i + 1 < fields.size(); ++i)
      result.stress[i] = std::move(fields[i]);
    result.von_mises = std::move(fields.back());
    return result;
  }


  template <int dim>
  dealii::Vector<double>
  internal_forces(const StressProblem<dim> &problem)
  {
    const Cells<dim> cells(problem);
    const std::size_t n = problem.dof_handler.get_fe().n_dofs_per_cell();
    dealii::Vector<double> forces(problem.dof_handler.n_dofs());
    std::vector<dealii::types::global_dof_index> dofs(n);
    add_in_order(
      cells.size(), n,
      [&]() {
        return [&, at = PointStresses<dim>(problem, cells)](
                 const std::ptrdiff_t c, double *values) mutable {
          const auto &fe = problem.dof_handler.get_fe();
          std::fill(values, values + n, 0.);
          at.reinit(c);
          std::vector<SymmetricComponents> stresses;
          std::vector<std::array<double, dim>> of_pressures(cells.rule.size());
          for (unsigned int q = 0; q < cells.rule.size(); ++q)
            {
              at.evaluate(q);
              stresses.push_back(at.stress);
              std::copy_n(at.of_pressure, dim, of_pressures[q].begin());
            }
          if (problem.b_bar)
            at.project_stresses(stresses, of_pressures);
          for (unsigned int q = 0; q < cells.rule.size(); ++q)
            for (std::size_t i = 0; i < n; ++i)
              {
                const auto [a, node] = fe.system_to_component_index(i);
                const auto &phi      = at.values.shape_grad(node, q);
                for (int d = 0; d < dim; ++d)
                  values[i] +=
                    at.values.JxW(q) * stresses[q][component(a, d)] * phi[d];
              }
        };
      },
      [&](const std::ptrdiff_t c, const double *values) {
        cells.cells[c]->get_dof_indices(dofs);
        for (std::size_t i = 0; i < n; ++i)
          forces[dofs[i]] += values[i];
      });
    return forces;
  }


#define INSTANTIATE(dim)                                                  \
  template NodalStresses nodal_stresses(const StressProblem<dim> &,       \
                                        const dealii::DoFHandler<dim> &); \
  template dealii::Vector<double> internal_forces(const StressProblem<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
