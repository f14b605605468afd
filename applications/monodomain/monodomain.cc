#include "monodomain.h"

#include "checkpoints.h"
#include "diffusion.h"
#include "observation.h"
#include "splitting.h"
#include "stimulation.h"
#include "tissue.h"

#include <tessera/base/error.h>
#include <tessera/dealii/errors.h>
#include <tessera/dealii/transfer.h>
#include <tessera/study/program.h>
#include <tessera/study/table.h>

using namespace tessera;

namespace
{
  /// The section `Time`.
  struct TimeStepping
  {
    static void
    declare(Parameters &parameters)
    {
      namespace Patterns = dealii::Patterns;
      parameters.declare("Time/End", "100", Patterns::Double(),
                         "when the computation ends, in the unit of time of "
                         "the cell model (ms or 1)");
      parameters.declare("Time/Step", "0.05", Patterns::Double(),
                         "longest time step; steps hit stimuli and output");
      parameters.declare("Time/Scheme", "strang",
                         Patterns::Selection("godunov|strang"),
                         "godunov: reaction, then backward Euler, first order; "
                         "strang: half a reaction, Crank-Nicolson, half a "
                         "reaction, second order");
      parameters.declare("Time/Reaction steps", "1",
                         Patterns::Integer(1, 100000),
                         "equal steps of the cell model within each of its "
                         "parts of a step");
    }

    static double
    positive(const Parameters &parameters, const std::string &entry)
    {
      const double value = parameters.get_double(entry);
      if (!(value > 0) || !std::isfinite(value))
        throw ParameterError("'" + entry + "' is " + parameters.get(entry) +
                             "; legal are positive numbers.");
      return value;
    }

    explicit TimeStepping(const Parameters &parameters)
      : end(positive(parameters, "Time/End")),
        step(positive(parameters, "Time/Step")),
        scheme(parameters.get("Time/Scheme") == "strang"
                 ? SplittingScheme::strang
                 : SplittingScheme::godunov),
        reaction_steps(parameters.get_integer("Time/Reaction steps"))
    {}

    double end, step;
    SplittingScheme scheme;
    int reaction_steps;
  };

  /// The sections of the equation.
  template <int dim>
  struct Equation
  {
    explicit Equation(const Parameters &parameters)
      : tissue(parameters), diffusion(parameters), stimulation(parameters),
        time(parameters)
    {
      if (parameters.get("Operator/Number") != "double" ||
          parameters.get("Solver/Mixed precision") != "none")
        throw ParameterError(
          "monodomain computes in double: legal are "
          "'Operator/Number' = double and 'Solver/Mixed "
          "precision' = none.");
    }

    const Tissue<dim> tissue;
    const Diffusion<dim> diffusion;
    const Stimulation<dim> stimulation;
    const TimeStepping time;
  };

  /// The equation on the nodes of a case.
  template <int dim>
  struct Data
  {
    Coefficient D;
    std::vector<unsigned char> regions;
    std::vector<double> potential;
    std::vector<typename Stimulation<dim>::Stimulus> stimuli;
  };

  template <int dim>
  Data<dim>
  discretize(const Equation<dim> &equation, Discretization<dim> &d)
  {
    d.build([]() {
      dealii::AffineConstraints<double> none;
      none.close();
      return none;
    });
    Data<dim> data{
      equation.diffusion.tensor(d.mesh, *d.space), equation.tissue.regions(d),
      equation.tissue.initial_potential(d), equation.stimulation.on_nodes(d)};
    if (data.D.kind != Coefficient::Kind::uniform)
      d.n_varying += data.D.n_components + 1;
    d.solution_name             = "potential";
    d.entry.phases.coefficients = d.timer.lap();
    return data;
  }

  /// What a run says of itself while it goes on.
  class Progress
  {
  public:
    Progress(std::string label, std::string unit, const double end)
      : label(std::move(label)), unit(std::move(unit)), end(end)
    {}

    void
    show(const double time, const std::size_t step, const std::size_t n_steps,
         const std::size_t n_done, const int iterations)
    {
      if (pause.seconds() < 0.2)
        return;
      pause.restart();
      study::progress(
        label + ": time " + study::format(time, 4) + " of " +
          study::format(end, 4) + unit + ", step " + std::to_string(step) +
          " of " + std::to_string(n_steps) + ", " + std::to_string(iterations) +
          " CG iterations, about " +
          study::format(total.seconds() * (n_steps - step) / n_done) +
          " s left",
        false);
    }

  private:
    std::string label, unit;
    double end;
    study::Timer total, pause;
  };

  template <int dim>
  Solution
  solve(const Equation<dim> &equation, Discretization<dim> &d,
        const Data<dim> &data, Observation<dim> &observation,
        Checkpoints::OfCase &checkpoint)
  {
    const auto cells =
      std::make_shared<const CellData<double>>(d.space, d.backend);
    Membrane<double> membrane(equation.tissue.model, d.backend, data.regions,
                              equation.tissue.values);
    Stimuli<double> stimuli(d.backend, d.space->n_owned);
    for (const auto &stimulus : data.stimuli)
      stimuli.add(stimulus.pulses, stimulus.nodes);
    auto potential = cells->make_vector(), before = cells->make_vector();
    std::vector<double> initial = data.potential;
    initial.resize(potential.size(), 0.);
    potential.copy_from(initial);
    d.entry.phases.upload = d.timer.lap();

    const TimeStepping &time = equation.time;
    auto events              = observation.events(time.end);
    for (const double event : stimuli.events(time.end))
      events.push_back(event);
    const auto ends = time_steps(time.end, time.step, events);
    Splitting splitting(d, cells, data.D, time.scheme, time.reaction_steps);
    splitting.prepare(ends.front());
    typename Observation<dim>::OfCase of_case(observation, d);
    const VectorOperations<double> operations(d.backend, potential.n_owned());
    d.entry.phases.setup = d.timer.lap();

    const std::string &unit = equation.tissue.model.time_unit;
    Progress progress("degree " + std::to_string(d.entry.problem.degree) +
                        ", " + std::to_string(d.entry.problem.dofs) + " nodes",
                      unit == "1" ? "" : ' ' + unit, time.end);
    const study::Timer timer; // that of the case is restarted by new systems
    Solution solution{std::vector<double>(d.dof_handler.n_dofs(), 0.), {}};
    CGResult &result  = solution.result;
    int iterations    = 0;
    std::size_t steps = 0, first_step = 0;
    double now       = 0;
    const auto state = [&]() {
      State state;
      state.arrays["potential"]   = potential.to_vector();
      state.arrays["cell states"] = membrane.states();
      state.arrays["time"]        = {now};
      state.arrays["counters"]    = {double(steps), double(iterations)};
      splitting.save(state);
      of_case.save(state);
      return state;
    };
    if (const auto earlier = checkpoint.take())
      {
        potential.copy_from(earlier->array("potential", potential.size()));
        membrane.set_states(earlier->array("cell states"));
        now              = earlier->number("time");
        steps            = earlier->array("counters", 2)[0];
        iterations       = earlier->array("counters", 2)[1];
        first_step       = steps;
        result.converged = true; // if there is no step left
        splitting.restore(*earlier);
        of_case.restore(*earlier);
      }
    else
      of_case.begin(potential);
    for (const double end : ends)
      {
        const double step = end - now;
        if (step < 1e-9 * time.step) // before a restart
          continue;
        operations.combine(1., potential, 0., before);
        result = splitting.advance(potential, membrane,
                                   stimuli.at(now + step / 2), step);
        iterations += result.iterations;
        if (!result.converged)
          break;
        of_case.after_step(before, potential, end, step);
        now = end;
        ++steps;
        progress.show(now, steps, ends.size(), steps - first_step,
                      result.iterations);
        checkpoint.after_step(state);
        if (study::interrupted())
          {
            result.end         = SolveEnd::interrupted;
            result.converged   = false;
            result.interrupted = true;
            break;
          }
      }
    if (result.converged || result.interrupted)
      checkpoint.finish(state, result.interrupted);
    result.iterations    = iterations;
    d.entry.phases.solve = timer.seconds() - of_case.seconds();
    d.timer.restart();
    export_dofs(potential, *d.space, solution.values);
    of_case.finish();
    splitting.describe();
    auto &parameters                   = d.entry.parameters;
    parameters["steps"]                = static_cast<std::int64_t>(steps);
    parameters["simulated_time"]       = now;
    parameters["steps_before_restart"] = static_cast<std::int64_t>(first_step);
    parameters["reaction_seconds"]     = splitting.seconds().reaction;
    parameters["product_seconds"]      = splitting.seconds().product;
    parameters["solve_seconds"]        = splitting.seconds().solve;
    parameters["series_seconds"]       = of_case.seconds();
    parameters["node_steps_per_second"] =
      double(steps - first_step) * d.space->n_owned / d.entry.phases.solve;
    return solution;
  }
} // namespace


void
declare_monodomain(Parameters &parameters)
{
  declare_discretization(parameters);
  Tissue<2>::declare(parameters);
  Diffusion<2>::declare(parameters);
  TimeStepping::declare(parameters);
  Stimulation<2>::declare(parameters);
  Checkpoints::declare(parameters);
  ExactSolution<2>::declare(parameters);
  declare_study(parameters, [&]() { Observation<2>::declare(parameters); });
}


template <int dim>
void
run_monodomain(const Parameters &parameters, const study::CommandLine &line,
               study::Record &record)
{
  const Equation<dim> equation(parameters);
  const auto exact = ExactSolution<dim>::read(parameters);
  Observation<dim> observation(parameters, equation.tissue.model,
                               line.output_folder);
  const Checkpoints checkpoints(parameters, line.output_folder);
  run_study<dim>(parameters, line, record, exact.get(),
                 [&](Discretization<dim> &d) {
                   const auto data = discretize(equation, d);
                   observation.check(d);
                   const auto checkpoint =
                     std::make_shared<Checkpoints::OfCase>(checkpoints, d);
                   return [&, data, checkpoint]() {
                     return solve(equation, d, data, observation, *checkpoint);
                   };
                 });
}


template void
run_monodomain<2>(const Parameters &, const study::CommandLine &,
                  study::Record &);
template void
run_monodomain<3>(const Parameters &, const study::CommandLine &,
                  study::Record &);
