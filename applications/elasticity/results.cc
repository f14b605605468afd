#include "results.h"

#include <memory>

using namespace tessera;

namespace
{
  /// Adds names and values of all components of a vector.
  template <int dim>
  void
  add_vector(program::Results &results, const std::string &name,
             const double *const vector)
  {
    for (int c = 0; c < dim; ++c)
      results.quantities.push_back({name + ' ' + "xyz" [c], vector[c], {}});
  }

  /// Records the forces by which supports hold the body, and the sum of the
  /// loads, which they balance. The forces of springs are the integrals of
  /// K (u0 - u); those of given displacements are the internal forces minus the
  /// loads and the springs, summed over what a subsection holds. The forces of
  /// hanging nodes belong to the nodes that they follow from. `loads` contains
  /// K u0. In several processes, `loads` and `internal` are those of own cells.
  template <int dim>
  void
  add_reactions(const Equation<dim> &equation, Discretization<dim> &d,
                const std::vector<double> &loads,
                const dealii::Vector<double> &u,
                const dealii::Vector<double> &internal)
  {
    std::vector<int> holder;
    const auto names =
      equation.boundary.holders(d.mesh, *d.mapping, d.dof_handler, holder);
    std::vector<std::pair<std::string, dealii::Vector<double>>> springs,
      at_rest;
    d.together([&]() {
      const auto forces = [&](const dealii::Vector<double> &at) {
        return equation.boundary.spring_forces(d.mesh, *d.mapping,
                                               d.dof_handler, at, d.division);
      };
      springs = forces(u);
      at_rest = forces(dealii::Vector<double>(u.size()));
    });
    dealii::Vector<double> load(loads.begin(), loads.end());
    for (const auto &[name, forces] : at_rest)
      load -= forces;
    dealii::Vector<double> missing = internal; // what only supports can add
    missing -= load;
    for (const auto &[name, forces] : springs)
      missing -= forces;
    // What a hanging node lacks belongs to what may hold the body, and what is
    // lacking at a node of several processes is known to its owner.
    hanging_constraints(d.dof_handler, d.distributed ? d.division : nullptr)
      .condense(missing);
    std::vector<double> held(missing.begin(), missing.end());
    if (d.division != nullptr)
      d.exchange->export_add(held);
    const auto owns = [&d](const int dof) {
      return d.division == nullptr || d.dofs.owner[dof] == d.division->rank();
    };
    const std::size_t n = names.size();
    std::vector<double> sums((1 + n + springs.size()) * dim, 0.);
    for (std::size_t i = 0; i < d.flat.dofs.size(); ++i)
      {
        const int dof       = d.flat.dofs[i];
        const std::size_t c = i % dim;
        sums[c] += load[dof];
        if (holder[dof] >= 0 && owns(dof))
          sums[(1 + holder[dof]) * dim + c] += held[dof];
        for (std::size_t k = 0; k < springs.size(); ++k)
          sums[(1 + n + k) * dim + c] += springs[k].second[dof];
      }
    sum_up(d.division, sums);
    add_vector<dim>(d.entry.results, "sum of loads", &sums[0]);
    for (std::size_t k = 0; k < n; ++k)
      add_vector<dim>(d.entry.results, "reaction of " + names[k],
                      &sums[(1 + k) * dim]);
    for (std::size_t k = 0; k < springs.size(); ++k)
      add_vector<dim>(d.entry.results, "reaction of " + springs[k].first,
                      &sums[(1 + n + k) * dim]);
  }

  /// Adds stresses of cells and nodes to what is written.
  template <int dim>
  void
  add_fields(Discretization<dim> &d, const StressProblem<dim> &problem,
             const Stresses<dim> &stresses)
  {
    const auto add_cells = [&](const std::string &name, const auto &of) {
      dealii::Vector<double> values(d.mesh.triangulation.n_active_cells());
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

    const auto nodes =
      std::make_shared<dealii::DoFHandler<dim>>(d.mesh.triangulation);
    nodes->distribute_dofs(d.fe->base_element(0));
    NodalStresses smoothed = nodal_stresses(problem, *nodes);
    for (int i = 0; i < n_stresses; ++i)
      d.fields.nodal.push_back({std::string("stress_") + names[i],
                                std::move(smoothed.stress[i]), nodes});
    d.fields.nodal.push_back(
      {"von_mises", std::move(smoothed.von_mises), nodes});
  }

  /// Writes the stresses of the cells, each process those of its own.
  template <int dim>
  void
  write_stresses(const Discretization<dim> &d, const Stresses<dim> &stresses,
                 const std::string &folder)
  {
    std::string name =
      folder + "/stresses" + d.entry.name.substr(d.entry.name.rfind("_p"));
    if (d.division != nullptr)
      name += '.' + std::to_string(d.division->rank());
    d.together([&]() { write_cell_stresses(name + ".csv", d.mesh, stresses); });
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
  add_reactions(equation, d, loads, u, internal_forces(problem));
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
