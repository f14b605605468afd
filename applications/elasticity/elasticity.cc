#include "elasticity.h"

#include "material.h"

#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/load_vector.h>
#include <tessera/base/error.h>
#include <tessera/dealii/boundary_conditions.h>
#include <tessera/dealii/contact_loads.h>
#include <tessera/dealii/errors.h>
#include <tessera/dealii/point_loads.h>
#include <tessera/dealii/rigid_motions.h>
#include <tessera/dealii/stresses.h>
#include <tessera/dealii/transfer.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/lift.h>

#include <deal.II/dofs/dof_tools.h>

#include <algorithm>

using namespace tessera;

namespace
{
  const BoundaryKinds &
  boundary_kinds()
  {
    using Kind                       = BoundaryKinds::Kind;
    static const BoundaryKinds kinds = {
      true,
      {{Kind::dirichlet, "Displacement",
        "u, formulas of x, y and z separated by semicolons, one for each "
        "component, or one for all components that are held"},
       {Kind::neumann, "Traction",
        "t = sigma n, the force per area, a formula for each component"},
       {Kind::pressure, "Pressure",
        "p of t = -p n, where n points outwards: a pressure pushes"},
       {Kind::spring, "Spring",
        "u0 of sigma n + K (u - u0) = t, formulas of x, y and z, one for each "
        "component or one for all; t is a traction there"}},
      "sigma n = 0, the surface is free"};
    return kinds;
  }

  /// The sections of the equation.
  template <int dim>
  struct Equation
  {
    explicit Equation(const Parameters &parameters)
      : material(parameters), boundary(parameters, boundary_kinds()),
        point_loads(parameters), contact_loads(parameters),
        eliminate_after(eliminates_after(parameters))
    {}

    const ElasticMaterial<dim> material;
    const BoundaryConditions<dim> boundary;
    const PointLoads<dim> point_loads;
    const ContactLoads<dim> contact_loads;
    const bool eliminate_after;
  };

  /// The material on the cells of a space, which are those of the mesh or of a
  /// part of it.
  template <int dim>
  struct Solid
  {
    std::shared_ptr<const Space> space;
    typename ElasticMaterial<dim>::Stiffness stiffness;
    std::optional<Coefficient> expansion; ///< without stress

    StressProblem<dim>
    stresses(const Discretization<dim> &d,
             const dealii::Vector<double> &u) const
    {
      return {*d.mapping,
              d.dof_handler,
              u,
              *space,
              stiffness.form,
              stiffness.across,
              expansion ? &*expansion : nullptr};
    }
  };

  template <int dim>
  Solid<dim>
  solid_on(const ElasticMaterial<dim> &material, const Mesh<dim> &mesh,
           const std::shared_ptr<const Space> &space)
  {
    return {space, material.stiffness(mesh, *space),
            material.expansion(mesh, *space)};
  }

  /// The equation on the cells and faces of a case or, in several processes, on
  /// those of this one.
  template <int dim>
  struct Data
  {
    BoundaryFaces faces;
    Solid<dim> solid;
    Coefficient force;
    /// Loads at nodes, and those that an expansion is as good as, which have
    /// no sum: [n_dofs], by deal.II's index.
    dealii::Vector<double> loads, expanding;
  };

  /// A displacement, and the loads of all degrees of freedom of the mesh, by
  /// deal.II's index.
  struct Solved
  {
    Solution solution;
    std::vector<double> loads;
  };

  template <int dim>
  Data<dim>
  discretize(const Equation<dim> &equation, Discretization<dim> &d)
  {
    const auto &boundary = equation.boundary;
    boundary.check(d.mesh);
    d.build(
      [&]() {
        auto held = boundary.constraints(d.mesh, *d.mapping, d.dof_handler);
        check_rigid_motions(
          d.mesh, *d.mapping, d.dof_handler, held,
          boundary.springs(d.mesh, *d.mapping, d.dof_handler));
        return held;
      },
      equation.eliminate_after, dim);
    Data<dim> data{d.faces_here(boundary.faces(d.mesh, *d.mapping,
                                               d.dof_handler, d.flat.dofs)),
                   {},
                   {},
                   dealii::Vector<double>(d.dof_handler.n_dofs()),
                   dealii::Vector<double>(d.dof_handler.n_dofs())};
    d.together([&]() {
      data.solid = solid_on(equation.material, d.mesh, d.space);
      data.force = equation.material.body_force(d.mesh, *d.space);
    });
    const Solid<dim> &solid = data.solid;
    if (solid.expansion)
      data.expanding -= internal_forces(solid.stresses(d, data.expanding));
    equation.point_loads.add_to(data.loads, d.mesh, *d.mapping, d.dof_handler,
                                d.here);
    equation.contact_loads.add_to(data.loads, d.mesh, *d.mapping, d.dof_handler,
                                  d.here);
    // What the form is not compiled for is refused before anything is written.
    const Form form = elasticity(solid.stiffness.form);
    d.solver.on_number([&](auto zero) {
      form.compiled->template kernels<decltype(zero)>().check(*d.space);
    });
    for (const Coefficient *c : {&data.solid.stiffness.form, &data.force})
      if (c->kind != Coefficient::Kind::uniform)
        d.n_varying += c->n_components;
    d.entry.phases.coefficients = d.timer.lap();
    return data;
  }

  template <class Number, int dim>
  Solved
  solve(DiscreteProblem &d, const Data<dim> &data, const bool eliminate_after)
  {
    const auto cells =
      std::make_shared<const CellData<Number>>(d.space, d.backend);
    std::shared_ptr<const BoundaryMatrices<Number>> springs;
    if (!data.faces.mass.empty())
      springs = std::make_shared<const BoundaryMatrices<Number>>(
        *d.space, data.faces, d.backend);
    const auto tail       = d.tail<Number>();
    d.entry.phases.upload = d.timer.lap();
    const Form form       = elasticity(data.solid.stiffness.form);
    LinearSystem<Number> system(
      d, [&](const std::string &name, const AssemblyOptions &options) {
        return make_operator<Number>(name, cells, form, options, tail, springs);
      });
    const Conflict conflict = d.solver.conflict(d.backend);
    const Route route       = d.solver.route_of_loads();
    auto b                  = cells->make_vector();
    add_load_vector(b, *cells, data.force, conflict, route);
    if (data.faces.n_faces() > 0)
      add_boundary_load(b, *cells, data.faces, conflict, route);
    // Given components have loads, too, which their reactions balance.
    Solved solved{{}, std::vector<double>(d.flat.dofs.size())};
    auto values = b.to_vector();
    for (int i = 0; i < d.space->padding_index() * d.space->n_components; ++i)
      {
        const int dof = dof_of_entry(*d.space, d.flat.dofs, i);
        values[i] += static_cast<Number>(data.loads[dof]);
        solved.loads[dof] = values[i];
        values[i] += static_cast<Number>(data.expanding[dof]);
      }
    if (!data.loads.all_zero() || !data.expanding.all_zero())
      b.copy_from(values);
    if (d.division != nullptr) // the cells of each process have added theirs
      d.division->processes().sum(solved.loads);
    const auto &given = d.flat.boundary_values;
    if (eliminate_after)
      system.eliminate(b);
    else if (std::any_of(given.begin(), given.end(),
                         [](const double value) { return value != 0.; }))
      {
        auto g = cells->make_vector();
        import_dofs(g, *d.space, given, d.flat.dofs);
        lift<Number>(b, g, cells, form, springs.get(), conflict, tail);
      }
    else
      finish_right_hand_side(b, *cells, tail);
    solved.solution = system.solve(b);
    return solved;
  }

  /// Adds names and values of all components of a vector.
  template <int dim>
  void
  add_vector(study::Results &results, const std::string &name,
             const dealii::Tensor<1, dim> &vector)
  {
    for (int c = 0; c < dim; ++c)
      results.quantities.push_back({name + ' ' + "xyz" [c], vector[c], {}});
  }

  /// Records the forces by which supports hold the body, and the sum of the
  /// loads, which they balance. The forces of springs are the integrals of
  /// K (u0 - u); those of given displacements are the internal forces minus the
  /// loads and the springs, summed over what a subsection holds. The forces of
  /// hanging nodes belong to the nodes that they follow from. `loads` contains
  /// K u0.
  template <int dim>
  void
  add_reactions(const Equation<dim> &equation, Discretization<dim> &d,
                const std::vector<double> &loads,
                const dealii::Vector<double> &u,
                const dealii::Vector<double> &internal)
  {
    const auto spring_forces = [&](const dealii::Vector<double> &at) {
      return equation.boundary.spring_forces(d.mesh, *d.mapping, d.dof_handler,
                                             at);
    };
    std::vector<int> holder;
    const auto names =
      equation.boundary.holders(d.mesh, *d.mapping, d.dof_handler, holder);
    const auto springs = spring_forces(u);
    dealii::Vector<double> load(loads.begin(), loads.end());
    for (const auto &[name, of_rest] :
         spring_forces(dealii::Vector<double>(u.size())))
      load -= of_rest;
    dealii::Vector<double> missing = internal; // what only supports can add
    missing -= load;
    for (const auto &[name, forces] : springs)
      missing -= forces;
    dealii::AffineConstraints<double> hanging; // to what may hold the body
    dealii::DoFTools::make_hanging_node_constraints(d.dof_handler, hanging);
    hanging.close();
    hanging.condense(missing);
    std::vector<dealii::Tensor<1, dim>> reactions(names.size()),
      of_springs(springs.size());
    dealii::Tensor<1, dim> sum;
    for (std::size_t i = 0; i < d.flat.dofs.size(); ++i)
      {
        const int dof = d.flat.dofs[i];
        sum[i % dim] += load[dof];
        if (holder[dof] >= 0)
          reactions[holder[dof]][i % dim] += missing[dof];
        for (std::size_t k = 0; k < springs.size(); ++k)
          of_springs[k][i % dim] += springs[k].second[dof];
      }
    add_vector<dim>(d.entry.results, "sum of loads", sum);
    for (std::size_t k = 0; k < names.size(); ++k)
      add_vector<dim>(d.entry.results, "reaction of " + names[k], reactions[k]);
    for (std::size_t k = 0; k < springs.size(); ++k)
      add_vector<dim>(d.entry.results, "reaction of " + springs[k].first,
                      of_springs[k]);
  }

  /// Adds stresses of cells and nodes to what is written.
  template <int dim>
  void
  add_fields(Discretization<dim> &d, const StressProblem<dim> &problem,
             const Stresses<dim> &stresses)
  {
    const auto n         = stresses.cells.size();
    const auto add_cells = [&](const std::string &name, const auto &of) {
      dealii::Vector<double> values(n);
#pragma omp parallel for schedule(static)
      for (std::size_t c = 0; c < n; ++c)
        values[c] = of(stresses.cells[c]);
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

  /// Computes what follows from the displacement: strains and stresses in
  /// files, extremes, energy and reactions in tables and the record.
  /// Every process does so for the whole body; the first one writes.
  template <int dim>
  void
  evaluate(const Equation<dim> &equation, Discretization<dim> &d,
           const Data<dim> &data, const Solved &solved,
           const std::string &folder)
  {
    const auto &values = solved.solution.values;
    const dealii::Vector<double> u(values.begin(), values.end());
    std::optional<Solid<dim>> whole;
    if (d.division != nullptr)
      whole = solid_on(equation.material, d.mesh, d.whole_space());
    const StressProblem<dim> problem =
      (whole ? *whole : data.solid).stresses(d, u);
    const Stresses<dim> stresses = compute_stresses(problem);
    auto &quantities             = d.entry.results.quantities;
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
    add_reactions(equation, d, solved.loads, u, internal_forces(problem));
    d.solution_name = "displacement";
    add_fields(d, problem, stresses);
    d.together([&]() {
      if (d.division == nullptr || d.division->writes())
        write_cell_stresses(folder + "/stresses" +
                              d.entry.name.substr(d.entry.name.rfind("_p")) +
                              ".csv",
                            d.mesh.triangulation, stresses.cells);
    });
  }
} // namespace


void
declare_elasticity(Parameters &parameters)
{
  declare_discretization(parameters, true);
  ElasticMaterial<2>::declare(parameters);
  PointLoads<2>::declare(parameters);
  ContactLoads<2>::declare(parameters);
  BoundaryConditions<2>::declare(parameters, boundary_kinds());
  declare_elimination(parameters);
  ExactSolution<2>::declare(parameters);
  declare_study(parameters);
}


template <int dim>
void
run_elasticity(const Parameters &parameters, const study::CommandLine &line,
               study::Record &record)
{
  const Equation<dim> equation(parameters);
  const auto exact = ExactSolution<dim>::read(parameters, dim);
  run_study<dim>(
    parameters, line, record, exact.get(),
    [&](Discretization<dim> &d) {
      return [&, data = discretize(equation, d)]() {
        Solved solved     = d.solver.on_number([&](auto zero) {
          return solve<decltype(zero)>(d, data, equation.eliminate_after);
        });
        Solution solution = solved.solution;
        solution.evaluate = [&, solved = std::move(solved)]() {
          evaluate(equation, d, data, solved, line.output_folder);
        };
        return solution;
      };
    },
    dim);
}


template void
run_elasticity<2>(const Parameters &, const study::CommandLine &,
                  study::Record &);
template void
run_elasticity<3>(const Parameters &, const study::CommandLine &,
                  study::Record &);
