#include "stress_points.h"

#include <tessera/parallel/node_exchange.h>

namespace tessera
{
  using namespace stress_points;

  namespace
  {
    /// Calls add(c, values) for one cell after the other, where all threads
    /// have computed the `values`, [n_values], of several cells before. Every
    /// thread makes a function compute(c, values) of its own.
    template <class MakeCompute, class Add>
    void
    add_in_order(const std::ptrdiff_t n_cells, const std::size_t n_values,
                 const MakeCompute &make_compute, const Add &add)
    {
      const auto n_at_once = std::min<std::ptrdiff_t>(1024, n_cells);
      std::vector<double> values(n_at_once * n_values);
#pragma omp parallel
      {
        auto compute = make_compute();
        for (std::ptrdiff_t first = 0; first < n_cells; first += n_at_once)
          {
            const auto end = std::min(first + n_at_once, n_cells);
#pragma omp for schedule(static)
            for (std::ptrdiff_t c = first; c < end; ++c)
              compute(c, &values[(c - first) * n_values]);
#pragma omp single
            for (std::ptrdiff_t c = first; c < end; ++c)
              add(c, &values[(c - first) * n_values]);
          }
      }
    }
  } // namespace


  template <int dim>
  NodalStresses
  nodal_stresses(const StressProblem<dim> &problem,
                 const dealii::DoFHandler<dim> &nodes)
  {
    constexpr int n_fields = 7; // the von Mises stress is the last
    const Cells<dim> cells(problem);
    cells.check_whole(problem);
    const auto &fe = nodes.get_fe();
    if (fe != problem.dof_handler.get_fe().base_element(0) ||
        &nodes.get_triangulation() != &problem.dof_handler.get_triangulation())
      throw std::length_error("nodal_stresses: nodes of another element");
    const std::size_t n = fe.n_dofs_per_cell();
    NodalStresses result;
    std::array<dealii::Vector<double> *, n_fields> fields;
    for (int i = 0; i < n_fields; ++i)
      {
        fields[i] = i < 6 ? &result.stress[i] : &result.von_mises;
        fields[i]->reinit(nodes.n_dofs());
      }
    dealii::Vector<double> volumes(nodes.n_dofs());
    // How the nodes are shared, which is how their first components are.
    MeshNodes shared{std::vector<int>(nodes.n_dofs(), -1),
                     std::vector<std::int64_t>(nodes.n_dofs(), -1)};
    std::vector<dealii::types::global_dof_index> dofs(n), components(n * dim);
    add_in_order(
      cells.size(), 1 + n_fields * n,
      [&]() {
        return [&, at = PointStresses<dim>(problem, cells, true),
                rule = dealii::FEValues<dim>(problem.mapping, fe, cells.rule,
                                             dealii::update_JxW_values)](
                 const std::ptrdiff_t c, double *values) mutable {
          rule.reinit(typename dealii::Triangulation<dim>::active_cell_iterator(
            cells.cells[c]));
          double &volume = *values++;
          volume         = 0;
          for (const double dx : rule.get_JxW_values())
            volume += dx;
          at.reinit(c);
          for (std::size_t i = 0; i < n; ++i, values += n_fields)
            {
              at.evaluate(i);
              std::copy(at.stress.begin(), at.stress.end(), values);
              values[6] = von_mises(at.stress);
            }
        };
      },
      [&](const std::ptrdiff_t c, const double *values) {
        const double volume = *values++;
        const auto &cell    = cells.cells[c];
        typename dealii::DoFHandler<dim>::active_cell_iterator(
          &nodes.get_triangulation(), cell->level(), cell->index(), &nodes)
          ->get_dof_indices(dofs);
        cell->get_dof_indices(components);
        for (std::size_t i = 0; i < n; ++i, values += n_fields)
          {
            if (problem.division != nullptr)
              {
                const auto first =
                  components[cell->get_fe().component_to_system_index(0, i)];
                shared.owner[dofs[i]] = problem.dofs_shared->owner[first];
                shared.id[dofs[i]]    = problem.dofs_shared->id[first];
              }
            volumes[dofs[i]] += volume;
            for (int k = 0; k < n_fields; ++k)
              (*fields[k])[dofs[i]] += volume * values[k];
          }
      });
    if (problem.division != nullptr)
      {
        const NodeExchange exchange(problem.division->processes(), shared);
        std::vector<dealii::Vector<double> *> sums(fields.begin(),
                                                   fields.end());
        sums.push_back(&volumes);
        for (dealii::Vector<double> *const sum : sums)
          {
            std::vector<double> values(sum->begin(), sum->end());
            exchange.export_add(values);
            exchange.import(values);
            std::copy(values.begin(), values.end(), sum->begin());
          }
      }
    for (const auto &field : fields)
      for (std::size_t i = 0; i < field->size(); ++i)
        if (volumes[i] > 0)
          (*field)[i] /= volumes[i];
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
        return [&, at = PointStresses<dim>(problem, cells, false)](
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
