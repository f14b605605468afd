#include "transient.h"

#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/load_vector.h>
#include <tessera/base/vector_operations.h>
#include <tessera/dealii/case_output.h>
#include <tessera/dealii/transfer.h>
#include <tessera/forms/mass.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/lift.h>
#include <tessera/study/program.h>
#include <tessera/study/table.h>

#include <deal.II/dofs/dof_tools.h>

using namespace tessera;

namespace
{
  using Values = std::vector<double>; ///< by deal.II's index, [n_dofs]

  /// Returns the sum of a_k times the values of a field at time k.
  Values
  combine(const std::vector<std::pair<double, const Values *>> &parts)
  {
    Values sum(parts.front().second->size(), 0.);
    for (const auto &[a, part] : parts)
      for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += a * (*part)[i];
    return sum;
  }

  template <int dim>
  class Steps
  {
  public:
    Steps(Equation<dim> &equation, Discretization<dim> &d, Data &data,
          const std::string &folder)
      : equation(equation), d(d), data(data), time(*equation.time),
        n_steps(time.n_steps(d.cycle)), step(time.end / n_steps),
        cells(std::make_shared<const CellData<double>>(d.space, d.backend)),
        robin(data.faces.mass.empty()
                ? nullptr
                : std::make_shared<const BoundaryMatrices<double>>(
                    *d.space, data.faces, d.backend)),
        mass_form(tessera::mass(with_reaction(
          {Coefficient::Kind::uniform, 0, {}},
          {{&data.capacity, 1 / (time.theta * step)}}, *d.space))),
        form(reaction_diffusion(with_reaction(
          data.kappa,
          data.reacts()
            ? std::vector<
                std::pair<const Coefficient *, double>>{{&mass_form.coefficient,
                                                         1.},
                                                        {&data.reaction, 1.}}
            : std::vector<
                std::pair<const Coefficient *, double>>{{&mass_form.coefficient,
                                                         1.}},
          *d.space))),
        writer(folder, d.parameters)
    {}

    Solution
    run(Rate &rate)
    {
      d.entry.phases.upload = d.timer.lap();
      LinearSystem<double> system(
        d, [&](const std::string &name, const AssemblyOptions &options) {
          return make_operator<double>(name, cells, form, options, {}, robin);
        });
      const auto mass = make_operator<double>(system.matrix().name(), cells,
                                              mass_form, d.solver.assembly);
      const auto M    = system.make_preconditioner();
      const CGMethod method =
        d.solver.method.value_or(choose_cg_method(system.matrix(), *M));
      CG<double> cg(system.matrix(), *M, {}, method);
      CGControl control = d.solver.control;
      control.verify    = false;
      control.progress  = [](int, double) { return !study::interrupted(); };
      if (!d.matrix_file.empty())
        system.store_matrix();
      begin();
      d.entry.phases.setup = d.timer.lap();

      const VectorOperations<double> operations(d.backend, u.n_owned());
      auto b = cells->make_vector(), w = cells->make_vector();
      Solution solution{values, {}};
      CGResult &result = solution.result;
      int iterations   = 0;
      study::Timer pause;
      for (int k = 0; k < n_steps; ++k)
        {
          if (k == 0 || equation.varies_in_time())
            load_step(time.end * (k + 1) / n_steps);
          mass->vmult(b, u);
          operations.combine(1., load, 1., b);
          operations.combine(1., u, 0., w);
          result = cg.solve(w, b, relative_to_right_hand_side(control, *M, b));
          // A solve takes about as many iterations as the one before.
          control.check_every = std::clamp(result.iterations, 1, 16);
          iterations += result.iterations;
          if (study::interrupted())
            {
              result.end         = SolveEnd::interrupted;
              result.interrupted = true;
              result.converged   = false;
            }
          if (!result.converged)
            {
              solution.failure = "Step " + std::to_string(k + 1) + " of " +
                                 std::to_string(n_steps) + ": " +
                                 describe(result);
              read_values();
              break;
            }
          operations.combine(1 / time.theta, w, 1 - 1 / time.theta, u);
          finish_step(k + 1);
          if (pause.seconds() > 0.2)
            {
              pause.restart();
              study::progress(
                "degree " + std::to_string(d.entry.problem.degree) + ", " +
                  std::to_string(d.entry.problem.dofs) + " DoFs: step " +
                  std::to_string(k + 1) + " of " + std::to_string(n_steps) +
                  ", " + std::to_string(result.iterations) + " iterations",
                false);
            }
        }
      result.iterations    = iterations;
      d.entry.phases.solve = d.timer.lap();
      solution.values      = values;
      rate                 = rate_at_end();
      auto &parameters     = d.entry.parameters;
      parameters.merge(system.matrix().layout_parameters());
      parameters.merge(system.matrix().product_parameters());
      parameters.merge(M->parameters());
      parameters["method"]         = to_string(method);
      parameters["steps"]          = std::int64_t(n_steps);
      parameters["simulated_time"] = time.end;
      return solution;
    }

  private:
    /// Sets u at t = 0, where boundary values prevail.
    void
    begin()
    {
      const auto &dofs = d.dof_handler;
      std::vector<dealii::Point<dim>> points(dofs.n_dofs());
      dealii::DoFTools::map_dofs_to_support_points(*d.mapping, dofs, points);
      std::vector<double> flat;
      for (const auto &p : points)
        flat.insert(flat.end(), p.begin_raw(), p.end_raw());
      values = equation.initial.evaluate(flat);
      given  = d.flat.boundary_values;
      set_given(values);
      u = cells->make_vector();
      import_dofs(u, *d.space, values);
      zero_tail(u);
      newer_load = loads();
      load       = cells->make_vector();
      write(0);
    }

    /// Sets the values of constrained degrees of freedom.
    void
    set_given(Values &field) const
    {
      const auto &constrained = d.flat.connectivity.constrained;
      for (std::size_t i = 0; i < field.size(); ++i)
        if (constrained[i] != 0)
          field[i] = given[i];
    }

    /// Returns the load of f and of boundaries, as of the time that is set.
    Vector<double>
    loads() const
    {
      auto b                  = cells->make_vector();
      const Conflict conflict = d.solver.conflict(d.backend);
      const Route route       = d.solver.route_of_loads();
      add_load_vector(b, *cells, data.source, conflict, route);
      if (data.faces.n_faces() > 0)
        add_boundary_load(b, *cells, data.faces, conflict, route);
      return b;
    }

    /// Sets the load of a step that ends at t, with what boundary values add.
    void
    load_step(const double t)
    {
      const VectorOperations<double> operations(d.backend, u.n_owned());
      operations.combine(1 - time.theta, newer_load, 0., load);
      const Values before = given;
      if (equation.varies_in_time())
        {
          equation.set_time(t);
          set_loads(data, equation, d);
          newer_load             = loads();
          const auto constraints = equation.boundary.constraints(
            d.mesh, *d.mapping, d.dof_handler, false);
          for (std::size_t i = 0; i < given.size(); ++i)
            if (constraints.is_constrained(i))
              given[i] = constraints.get_inhomogeneity(i);
        }
      operations.combine(time.theta, newer_load, 1., load);
      const Conflict conflict = d.solver.conflict(d.backend);
      auto g                  = cells->make_vector();
      import_dofs(g, *d.space,
                  combine({{time.theta, &given}, {1 - time.theta, &before}}));
      lift<double>(load, g, cells, form, robin.get(), conflict);
      import_dofs(g, *d.space, combine({{-1., &before}}));
      lift<double>(load, g, cells, mass_form, nullptr, conflict);
    }

    void
    read_values()
    {
      export_dofs(u, *d.space, values);
      set_given(values);
    }

    /// Reads the values of the last steps, and of those that are written.
    void
    finish_step(const int k)
    {
      const bool writes = time.write_every > 0 && k % time.write_every == 0;
      if (k < n_steps - 2 && !writes)
        return;
      before_last = std::move(last);
      last        = values;
      read_values();
      if (writes)
        write(k);
    }

    void
    write(const int k)
    {
      if (time.write_every == 0)
        return;
      const std::string name = "time_p" +
                               std::to_string(d.entry.problem.degree) + "_c" +
                               std::to_string(d.cycle);
      writer.write_step(
        *d.mapping, d.dof_handler,
        {{{"solution", dealii::Vector<double>(values.begin(), values.end())}}},
        subdivisions(d.parameters, d.entry.problem.degree),
        name + "_" + std::to_string(k), name, time.end * k / n_steps);
    }

    /// Returns the rate by backward differences. They are of first order for
    /// backward Euler and if there is a single step, and of second order
    /// otherwise.
    Values
    rate_at_end() const
    {
      if (last.empty())
        return Values(values.size(), 0.);
      if (time.theta == 1 || before_last.empty())
        return combine({{1 / step, &values}, {-1 / step, &last}});
      return combine({{1.5 / step, &values},
                      {-2 / step, &last},
                      {0.5 / step, &before_last}});
    }

    Equation<dim> &equation;
    Discretization<dim> &d;
    Data &data;
    const TimeSteps time;
    const int n_steps;
    const double step;
    const std::shared_ptr<const CellData<double>> cells;
    const std::shared_ptr<const BoundaryMatrices<double>> robin;
    const Form mass_form, form;
    SolutionWriter<dim> writer;

    Vector<double> u, load; ///< of the free degrees of freedom
    Vector<double> newer_load;
    Values values, last, before_last; ///< at the ends of steps
    Values given;                     ///< of constrained degrees of freedom
  };
} // namespace


template <int dim>
Solution
solve_in_time(Equation<dim> &equation, Discretization<dim> &d, Data &data,
              const std::string &folder, Rate &rate)
{
  return Steps<dim>(equation, d, data, folder).run(rate);
}


template Solution
solve_in_time(Equation<2> &, Discretization<2> &, Data &, const std::string &,
              Rate &);
template Solution
solve_in_time(Equation<3> &, Discretization<3> &, Data &, const std::string &,
              Rate &);
