#include "transient.h"

#include "step_system.h"

#include <tessera/base/counted.h>
#include <tessera/base/vector_operations.h>
#include <tessera/fem/driver/case_output.h>
#include <tessera/program/program.h>
#include <tessera/program/table.h>

#include <optional>

using namespace tessera;

namespace
{
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
    Steps(Equation<dim> &equation, MeshInTime<dim> &mesh,
          Discretization<dim> &d, Data &data, const std::string &folder)
      : equation(equation), mesh(mesh), d(d), data(data), time(*equation.time),
        n_steps(time.n_steps(d.cycle)), step(time.end / n_steps),
        folder(folder), writer(folder, d.parameters)
    {}

    Solution
    run(Rate &rate)
    {
      values = initial_values(equation, d);
      begin();
      write(0);
      d.entry.phases.setup = d.timer.lap();

      const program::Timer timer;
      Solution solution{values, {}};
      CGResult &result = solution.result;
      int iterations   = 0;
      program::Timer pause;
      for (int k = 0; k < n_steps; ++k)
        {
          if (load_is_old || equation.varies_in_time())
            load_step(time.end * (k + 1) / n_steps);
          result = system->solve(w, u, load);
          iterations += result.iterations;
          mesh.add_step(result.iterations);
          if (d.any(program::interrupted()))
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
              system->read(u, given, values);
              break;
            }
          VectorOperations<double>(d.backend, u.n_owned())
            .combine(1 / time.theta, w, 1 - 1 / time.theta, u);
          finish_step(k + 1);
          if (pause.seconds() > 0.2)
            {
              pause.restart();
              program::progress(
                "degree " + std::to_string(d.entry.problem.degree) + ", " +
                  counted(d.entry.problem.dofs, "DoF") + ": step " +
                  std::to_string(k + 1) + " of " + std::to_string(n_steps) +
                  ", " + counted(result.iterations, "iteration"),
                false);
            }
        }
      result.iterations    = iterations;
      d.entry.phases.solve = timer.seconds();
      d.timer.restart();
      solution.values              = values;
      rate                         = rate_at_end();
      auto &parameters             = d.entry.parameters;
      parameters["steps"]          = std::int64_t(n_steps);
      parameters["simulated_time"] = time.end;
      system->describe();
      mesh.finish(n_steps, time.end, folder + '/' + series() + ".csv");
      return solution;
    }

  private:
    /// Begins on a mesh, with the values that u has there.
    void
    begin()
    {
      system.emplace(d, data, time.theta, step);
      given       = d.flat.boundary_values;
      u           = system->vector_of(values);
      w           = system->make_vector();
      load        = system->make_vector();
      newer_load  = system->loads(data);
      load_is_old = true;
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
          equation.set_time(t, t);
          d.collectively([&]() { set_loads(data, equation, d); });
          newer_load             = system->loads(data);
          const auto constraints = d.constraints([&]() {
            return equation.boundary.constraints(d.mesh(), d.cells(), false);
          });
          for (const auto &line : constraints.get_lines())
            given[line.index] = line.inhomogeneity;
        }
      operations.combine(time.theta, newer_load, 1., load);
      system->lift(load,
                   combine({{time.theta, &given}, {1 - time.theta, &before}}),
                   before);
      load_is_old = false;
    }

    /// Reads the values of the last steps, and of the steps that are written or
    /// after which the mesh changes.
    void
    finish_step(const int k)
    {
      const bool writes  = time.write_every > 0 && k % time.write_every == 0;
      const bool changes = mesh.changes_after(k, n_steps);
      if (k < n_steps - 2 && !writes && !changes)
        return;
      before_last = std::move(last);
      last        = values;
      system->read(u, given, values);
      if (writes)
        write(k);
      if (!changes)
        return;
      const program::Phases of_first_mesh = d.entry.phases;
      system.reset();
      mesh.adapt(k, data, values);
      begin();
      d.entry.phases = of_first_mesh;
    }

    std::string
    series() const
    {
      return "time_p" + std::to_string(d.entry.problem.degree) + "_c" +
             std::to_string(d.cycle);
    }

    void
    write(const int k)
    {
      if (time.write_every == 0)
        return;
      const typename SolutionWriter<dim>::Fields fields{
        {{"solution", dealii::Vector<double>(values.begin(), values.end())}}};
      writer.write_step(
        d.cells(), fields, subdivisions(d.parameters, d.entry.problem.degree),
        series() + "_" + std::to_string(k), series(), time.end * k / n_steps);
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
    MeshInTime<dim> &mesh;
    Discretization<dim> &d;
    Data &data;
    const TimeSteps time;
    const int n_steps;
    const double step;
    const std::string folder;
    SolutionWriter<dim> writer;

    std::optional<StepSystem> system; ///< of the mesh at hand
    bool load_is_old = true;
    Vector<double> u, w, load, newer_load; ///< of the free degrees of freedom
    Values values, last, before_last;      ///< at the ends of steps
    Values given; ///< of constrained degrees of freedom
  };
} // namespace


template <int dim>
Solution
solve_in_time(Equation<dim> &equation, MeshInTime<dim> &mesh,
              Discretization<dim> &d, Data &data, const std::string &folder,
              Rate &rate)
{
  return Steps<dim>(equation, mesh, d, data, folder).run(rate);
}


template Solution
solve_in_time(Equation<2> &, MeshInTime<2> &, Discretization<2> &, Data &,
              const std::string &, Rate &);
template Solution
solve_in_time(Equation<3> &, MeshInTime<3> &, Discretization<3> &, Data &,
              const std::string &, Rate &);
