#include "results.h"
#include "springs.h"

#include <tessera/fem/driver/report.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

using namespace tessera;

namespace
{
  /// Returns `internal_forces` of a displacement.
  template <int dim>
  dealii::Vector<double>
  forces_of(const Discretization<dim> &d, const Data<dim> &data,
            const dealii::Vector<double> &u)
  {
    dealii::Vector<double> forces = d.product(data.form(), u);
    forces -= data.expanding;
    return forces;
  }

  /// Adds names and values of all components of a vector.
  template <int dim>
  void
  add_vector(program::Results &results, const std::string &name,
             const double *const vector)
  {
    for (int c = 0; c < dim; ++c)
      results.quantities.push_back({name + ' ' + "xyz" [c], vector[c], {}});
  }

  /// The forces of springs, by subsection.
  using SpringForces =
    std::vector<std::pair<std::string, dealii::Vector<double>>>;

  /// Hands what is missing at free degrees of freedom with springs to these, in
  /// proportion to the sizes of their terms, if rounding and the tolerance of
  /// the solver explain it: what a stiff spring bears is known by the body, not
  /// by the difference K (u0 - u).
  template <int dim>
  void
  correct_springs(SpringForces &springs, std::vector<double> &missing,
                  const std::vector<int> &holder, const double largest_u,
                  const Equation<dim> &equation, const Discretization<dim> &d)
  {
    std::vector<dealii::Vector<double>> of_springs;
    d.collectively([&]() {
      of_springs =
        spring_sizes(equation.boundary, d.mesh(), d.cells(), largest_u);
    });
    std::vector<std::vector<double>> sizes;
    std::vector<double> total(missing.size());
    for (const auto &of_spring : of_springs)
      {
        sizes.emplace_back(of_spring.begin(), of_spring.end());
        d.export_add(sizes.back());
        for (std::size_t i = 0; i < total.size(); ++i)
          total[i] += sizes.back()[i];
      }
    const double part = std::max(d.solver.control.relative_tolerance,
                                 100 * std::numeric_limits<double>::epsilon());
    for (const int dof : d.flat.dofs)
      if (holder[dof] < 0 && total[dof] > 0 && d.owns(dof) &&
          std::abs(missing[dof]) <= part * total[dof])
        {
          for (std::size_t k = 0; k < springs.size(); ++k)
            springs[k].second[dof] += missing[dof] * sizes[k][dof] / total[dof];
          missing[dof] = 0;
        }
  }

  /// The forces that would act if the displacement fell to 0 within the cells
  /// at supports and springs, and the forces of the expansion.
  template <int dim>
  double
  forces_of_supports(const Discretization<dim> &d, const Data<dim> &data,
                     const SpringForces &springs,
                     const std::vector<int> &holder,
                     const dealii::Vector<double> &u)
  {
    std::vector<double> there(u.size());
    for (const int dof : d.flat.dofs)
      {
        bool acted_on = holder[dof] >= 0;
        for (const auto &[name, forces] : springs)
          acted_on = acted_on || forces[dof] != 0;
        if (acted_on && d.owns(dof))
          there[dof] = u[dof];
      }
    d.import(there);
    const dealii::Vector<double> alone(there.begin(), there.end());
    std::vector<double> sum(1, 0.);
    d.collectively([&]() {
      sum[0] = forces_of(d, data, alone).l1_norm() + data.expanding.l1_norm();
    });
    sum_up(d.division, sum);
    return sum[0];
  }

  /// Records the forces by which supports hold the body, and the sum of the
  /// loads, which they balance. The forces of springs are the integrals of
  /// K (u0 - u); the forces at given displacements are the internal forces
  /// minus the loads and the springs, summed over what a subsection holds. The
  /// forces of hanging nodes belong to the nodes that they follow from. In
  /// several processes, `loads` and `internal` belong to own cells.
  template <int dim>
  void
  add_reactions(const Equation<dim> &equation, Discretization<dim> &d,
                const Data<dim> &data, const std::vector<double> &loads,
                const dealii::Vector<double> &u, const double largest_u,
                const dealii::Vector<double> &internal)
  {
    std::vector<int> holder;
    const auto names = equation.boundary.holders(d.mesh(), d.cells(), holder);
    SpringForces springs;
    d.collectively([&]() {
      springs = spring_forces(equation.boundary, d.mesh(), d.cells(), u);
    });
    dealii::Vector<double> missing = internal; // what only supports can add
    for (std::size_t i = 0; i < loads.size(); ++i)
      missing[i] -= loads[i];
    for (const auto &[name, forces] : springs)
      missing -= forces;
    // What a hanging node lacks belongs to what may hold the body, and what is
    // lacking at a node of several processes is known to its owner.
    if (d.hangs)
      hanging_constraints(d.dof_handler(), d.mesh_division()).condense(missing);
    std::vector<double> held(missing.begin(), missing.end());
    d.export_add(held);
    correct_springs(springs, held, holder, largest_u, equation, d);
    const std::size_t n = names.size(), n_rows = 1 + n + springs.size();
    std::vector<double> sums((n_rows + 1) * dim + 1, 0.);
    double &given            = sums.back();
    double *const magnitudes = &sums[n_rows * dim];
    for (std::size_t i = 0; i < d.flat.dofs.size(); ++i)
      {
        const int dof        = d.flat.dofs[i];
        const auto add_force = [&](const std::size_t row, const double force) {
          sums[row * dim + i % dim] += force;
          magnitudes[i % dim] += std::abs(force);
        };
        add_force(0, loads[dof]);
        given += std::abs(loads[dof]);
        if (holder[dof] >= 0 && d.owns(dof))
          add_force(1 + holder[dof], held[dof]);
        for (std::size_t k = 0; k < springs.size(); ++k)
          add_force(1 + n + k, springs[k].second[dof]);
      }
    sum_up(d.division, sums);
    add_vector<dim>(d.entry.results, "sum of loads", &sums[0]);
    for (std::size_t k = 0; k < n; ++k)
      add_vector<dim>(d.entry.results, "reaction of " + names[k],
                      &sums[(1 + k) * dim]);
    for (std::size_t k = 0; k < springs.size(); ++k)
      add_vector<dim>(d.entry.results, "reaction of " + springs[k].first,
                      &sums[(1 + n + k) * dim]);
    for (int c = 0; c < dim; ++c)
      {
        double sum = 0;
        for (std::size_t row = 0; row < n_rows; ++row)
          sum += sums[row * dim + c];
        check_balance(
          d, std::string("The loads and reactions along ") + "xyz"[c], sum,
          magnitudes[c], std::accumulate(magnitudes, magnitudes + dim, 0.),
          given,
          [&]() { return forces_of_supports(d, data, springs, holder, u); });
      }
  }

  /// Adds stresses of cells and nodes to what is written.
  template <int dim>
  void
  add_fields(Discretization<dim> &d, const StressProblem<dim> &problem,
             const Stresses<dim> &stresses)
  {
    const auto add_cells = [&](const std::string &name, const auto &of) {
      dealii::Vector<double> values(d.cells().n_cells());
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < stresses.cells.size(); ++c)
        values[stresses.active_index[c]] = of(stresses.cells[c]);
      d.fields.cell.emplace_back(name, std::move(values));
    };
    using Cell = CellStress<dim>;
    add_cells("von_mises_of_cell",
              [](const Cell &cell) { return cell.von_mises; });
    for (int i = 0; i < 3; ++i)
      add_cells("principal_stress_" + std::to_string(i + 1),
                [i](const Cell &cell) { return cell.principal[i]; });
    constexpr const char *names[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    constexpr int n_stresses      = dim == 2 ? 4 : 6;
    for (int i = 0; i < n_stresses; ++i)
      add_cells(std::string("strain_") + names[i],
                [i](const Cell &cell) { return cell.strain[i]; });

    NodalStresses smoothed = nodal_stresses(problem);
    for (int i = 0; i < n_stresses; ++i)
      d.fields.nodal.push_back(
        {std::string("stress_") + names[i], std::move(smoothed.stress[i])});
    d.fields.nodal.push_back({"von_mises", std::move(smoothed.von_mises)});
  }

  /// Writes the stresses of the cells; each process writes its own cells.
  template <int dim>
  void
  write_stresses(const Discretization<dim> &d, const Stresses<dim> &stresses,
                 const std::string &folder)
  {
    std::string name =
      folder + "/stresses" + d.entry.name.substr(d.entry.name.rfind("_p"));
    if (d.division.n_processes() > 1)
      name += '.' + std::to_string(d.division.rank());
    d.collectively(
      [&]() { write_cell_stresses(name + ".csv", d.mesh(), stresses); });
  }
} // namespace


template <int dim>
void
add_results(const Equation<dim> &equation, Discretization<dim> &d,
            const Data<dim> &data, const std::vector<double> &values,
            const std::vector<double> &loads, const std::string &folder)
{
  const dealii::Vector<double> u(values.begin(), values.end());
  const StressProblem<dim> problem = data.stresses(d, u);
  const Stresses<dim> stresses     = compute_stresses(problem);
  auto &quantities                 = d.entry.results.quantities;
  const auto add = [&](const std::string &name, const Extreme<dim> &extreme) {
    quantities.push_back(
      {name,
       extreme.value,
       {extreme.point.begin_raw(), extreme.point.end_raw()}});
  };
  add("largest displacement", stresses.largest_displacement);
  add("largest von Mises stress", stresses.largest_von_mises);
  add("largest principal stress", stresses.largest_principal);
  add("smallest principal stress", stresses.smallest_principal);
  quantities.push_back({"strain energy", stresses.strain_energy, {}});
  add_reactions(equation, d, data, loads, u,
                stresses.largest_displacement.value, forces_of(d, data, u));
  d.solution_name = "displacement";
  add_fields(d, problem, stresses);
  write_stresses(d, stresses, folder);
}


#define INSTANTIATE(dim)                                                    \
  template void add_results(const Equation<dim> &, Discretization<dim> &,   \
                            const Data<dim> &, const std::vector<double> &, \
                            const std::vector<double> &, const std::string &);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE
