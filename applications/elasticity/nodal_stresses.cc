#include "derived_stresses.h"
#include "stress_points.h"

#include <tessera/fem/fields/cells_in_order.h>

namespace tessera
{
  using namespace stress_points;

  template <int dim>
  NodalStresses
  nodal_stresses(const StressProblem<dim> &problem)
  {
    const auto derived =
      derived_stresses<dim>(problem, {"stress", "von_mises"});
    auto fields = smooth(*derived, problem.cells);
    NodalStresses result;
    // In a plane model xz and yz are 0.
    for (auto &stress : result.stress)
      stress.reinit(problem.cells.n_nodes());
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
    const std::size_t n = problem.cells.nodes_per_cell() * dim;
    dealii::Vector<double> forces(problem.cells.n_dofs());
    add_in_order(
      cells.size(), n,
      [&]() {
        return [&, at = PointStresses<dim>(problem, cells),
                stresses = std::vector<SymmetricComponents>(cells.rule.size()),
                of_pressures =
                  std::vector<std::array<double, dim>>(cells.rule.size())](
                 const std::ptrdiff_t c, double *values) mutable {
          std::fill(values, values + n, 0.);
          at.reinit(c);
          for (unsigned int q = 0; q < cells.rule.size(); ++q)
            {
              at.evaluate(q);
              stresses[q] = at.stress;
              std::copy_n(at.of_pressure, dim, of_pressures[q].begin());
            }
          if (problem.b_bar)
            at.project_stresses(stresses, of_pressures);
          for (unsigned int q = 0; q < cells.rule.size(); ++q)
            {
              const auto inverse = invert(at.values.jacobian(q));
              const double dx    = at.dx(q);
              for (const auto &shape : at.values.shapes(q))
                {
                  const auto phi = dx * (shape.gradient * inverse);
                  for (int a = 0; a < dim; ++a)
                    for (int d = 0; d < dim; ++d)
                      values[shape.node * dim + a] +=
                        stresses[q][component(a, d)] * phi[d];
                }
            }
        };
      },
      [&](const std::ptrdiff_t c, const double *values,
          const NodesOfThread &is_mine) {
        const int *const nodes = problem.cells.nodes(cells.cells[c]);
        for (std::size_t i = 0; i < n; ++i)
          if (is_mine(nodes[i / dim]))
            forces[problem.cells.dof(nodes[i / dim], i % dim)] += values[i];
      });
    return forces;
  }


#define INSTANTIATE(dim)                                             \
  template NodalStresses nodal_stresses(const StressProblem<dim> &); \
  template dealii::Vector<double> internal_forces(const StressProblem<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
