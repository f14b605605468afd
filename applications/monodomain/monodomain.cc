#include "monodomain.h"

#include "checkpoints.h"
#include "diffusion.h"
#include "mesh_values.h"
#include "observation.h"
#include "progress.h"
#include "stimulation.h"
#include "time_stepping.h"
#include "tissue.h"

#include "cell_models/stimulus.h"
#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/base/vector_operations.h>
#include <tessera/fem/fields/errors.h>
#include <tessera/program/energy.h>
#include <tessera/program/program.h>
#include <tessera/program/table.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <optional>

using namespace tessera;

namespace
{
  /// The sections of the equation.
  template <int dim>
  struct Equation
  {
    explicit Equation(const Parameters &parameters)
      : tissue(parameters), diffusion(parameters), stimulation(parameters),
        time(parameters, tissue.model, tissue.values)
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
    std::vector<unsigned char> regions, regions_of_cells;
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
    equation.time.check(d);
    Data<dim> data{equation.diffusion.tensor(d), equation.tissue.regions(d),
                   equation.tissue.regions_of_cells(d),
                   equation.tissue.initial_potential(d),
                   equation.stimulation.on_nodes(d)};
    d.n_varying     = equation.time.n_varying(data.D, *d.space);
    d.state_bytes   = equation.time.bytes(equation.tissue.model, *d.space);
    d.solution_name = "potential";
    d.steps_in_time = true;
    d.entry.phases.coefficients = d.timer.lap();
    return data;
  }

  /// Prints what the parts of all steps took, as far as they are recorded. For
  /// several processes, adds the spread of these seconds to the record.
  void
  report_parts(program::Case &entry, const Division &division)
  {
    constexpr std::pair<const char *, const char *> names[] = {
      {"reaction_seconds", "reactions"},
      {"points_seconds", "states at points"},
      {"residual_seconds", "residuals"},
      {"assembly_seconds", "tangents"},
      {"cell_matrices_seconds", "of these cell matrices"},
      {"summation_seconds", "and sums"},
      {"solve_seconds", "conjugate gradients"},
      {"product_seconds", "products"},
      {"stages_seconds", "stages of diffusion"},
      {"series_seconds", "output"}};
    std::string parts;
    for (const auto &[key, name] : names)
      if (const auto found = entry.parameters.find(key);
          found != entry.parameters.end())
        {
          const double seconds = std::get<double>(found->second);
          parts += (parts.empty() ? "" : ", ") + std::string(name) + ' ' +
                   program::format(seconds);
          division.add_spread(entry, std::string("steps_") + key, seconds);
        }
    std::cout << "Seconds: " << parts << ".\n";
  }

  template <int dim>
  Stimuli<double>
  stimuli_of(const Discretization<dim> &d, const Data<dim> &data)
  {
    Stimuli<double> stimuli(d.backend, d.space->n_owned + d.space->n_ghosts);
    for (const auto &stimulus : data.stimuli)
      stimuli.add(stimulus.pulses, stimulus.nodes, stimulus.delays);
    return stimuli;
  }

  /// Goes through the time of a case.
  template <int dim>
  class Simulation
  {
  public:
    /// Makes the scheme and what is observed; all must outlive this object.
    Simulation(const Equation<dim> &equation, Discretization<dim> &d,
               const Data<dim> &data, Observation<dim> &observation,
               Checkpoints::OfCase &checkpoint)
      : time(equation.time), d(d), checkpoint(checkpoint),
        problem(d.template problem<double>()), stimuli(stimuli_of(d, data)),
        jumps(stimuli.events(time.end)), potential(problem.make_vector()),
        before(problem.make_vector()),
        operations(d.backend, potential.n_owned()),
        nodes(MeshValues::of_nodes(d))
    {
      std::vector<double> initial = data.potential;
      initial.resize(potential.size(), 0.);
      potential.copy_from(initial);
      d.entry.phases.upload = d.timer.lap();
      auto events           = observation.events(time.end);
      events.insert(events.end(), jumps.begin(), jumps.end());
      control.emplace(time.control(events));
      scheme = time.make_scheme(d, problem, data.D,
                                {equation.tissue.model, equation.tissue.values,
                                 data.regions, data.regions_of_cells});
      scheme->prepare(control->end_of_step(0));
      observer.emplace(observation, d, problem, data.D);
      progress.emplace("degree " + std::to_string(d.entry.problem.degree) +
                         ", " + counted(d.entry.problem.dofs, "node"),
                       equation.tissue.model.time_unit, time.end);
      d.entry.phases.setup = d.timer.lap();
    }

    Solution
    run()
    {
      const program::EnergyMeter meter;
      const program::Timer timer; // systems restart the timer of the case
      begin();
      while (take_step())
        {}
      scheme->finish();
      result.iterations    = iterations;
      const double seconds = timer.seconds();
      const auto of_board  = meter.board();
      const auto of_host   = meter.host();
      const bool stopped   = result.interrupted || !failure.empty();
      if (result.converged)
        failure = time.instability(d, potential);
      result.converged = result.converged && failure.empty();
      if (result.converged || stopped)
        checkpoint.finish([this]() { return state(); }, stopped);
      d.entry.phases.solve = seconds - observer->seconds();
      d.timer.restart();
      // A host may find a counter of an idle device; processes may share one.
      const bool alone     = d.division.n_processes() == 1;
      auto &parameters     = d.entry.parameters;
      const bool by_device = d.backend == Backend::cuda;
      parameters["joules"] = alone && by_device ? of_board.value_or(NAN) : NAN;
      parameters["joules_of_host"] = alone ? of_host.value_or(NAN) : NAN;
      record();
      return {values_of_mesh(d, potential.to_vector()), result, failure};
    }

  private:
    State
    state()
    {
      State state;
      nodes.save(state, "potential", potential.to_vector());
      state.arrays["time"]     = {now};
      state.arrays["counters"] = {double(steps), double(iterations)};
      scheme->save(state);
      control->save(state);
      observer->save(state);
      return state;
    }

    /// Begins at time 0, or where an earlier run ended.
    void
    begin()
    {
      const auto earlier = checkpoint.take();
      if (!earlier)
        return observer->begin(potential);
      nodes.restore(potential, *earlier, "potential");
      now              = earlier->number("time");
      steps            = earlier->array("counters", 2)[0];
      iterations       = earlier->array("counters", 2)[1];
      first_step       = steps;
      result.converged = true; // if there is no step left
      scheme->restore(*earlier);
      control->restore(*earlier);
      observer->restore(*earlier);
      forget_at_jump(); // of a stimulus that the earlier run did not have
    }

    /// Lets the scheme begin anew where a stimulus begins or ends.
    void
    forget_at_jump()
    {
      for (const double jump : jumps)
        if (std::abs(jump - now) < 1e-9 * time.step)
          scheme->forget();
    }

    /// Takes a step, which is repeated with another length if it fails or is
    /// not accurate. Returns false at the end of the time or of the run.
    bool
    take_step()
    {
      const double end = control->end_of_step(now), step = end - now;
      if (!(step > 0))
        return false;
      operations.combine(1., potential, 0., before);
      const StepResult taken =
        scheme->advance(potential, stimuli.in_step(now, step), step);
      result           = taken.linear;
      result.converged = taken.converged();
      iterations += result.iterations;
      if (!result.converged && !scheme->may_repeat())
        return false;
      if (control->keep(step, taken))
        keep_step(end, taken);
      else
        {
          operations.combine(1., before, 0., potential);
          result.converged = false;
          failure          = control->failure(now, taken);
          if (!failure.empty())
            return false;
        }
      if (!d.any(program::interrupted()))
        return true;
      result.end         = SolveEnd::interrupted;
      result.converged   = false;
      result.interrupted = true;
      return false;
    }

    void
    keep_step(const double end, const StepResult &taken)
    {
      const double step = end - now;
      scheme->accept(step);
      now = end;
      forget_at_jump();
      observer->after_step(before, potential, end, step);
      ++steps;
      progress->show(now, steps, control->steps_left(now), steps - first_step,
                     taken);
      checkpoint.after_step([this]() { return state(); });
    }

    void
    record()
    {
      observer->finish();
      scheme->record();
      // Quantities of a part of the time would look like results.
      if (!result.converged)
        d.entry.results.quantities.clear();
      auto &parameters             = d.entry.parameters;
      parameters["steps"]          = static_cast<std::int64_t>(steps);
      parameters["simulated_time"] = now;
      parameters["steps_before_restart"] =
        static_cast<std::int64_t>(first_step);
      parameters["rejected_steps"]        = std::int64_t(control->n_rejected);
      parameters["failed_steps"]          = std::int64_t(control->n_failed);
      parameters["series_seconds"]        = observer->seconds();
      parameters["node_steps_per_second"] = double(steps - first_step) *
                                            d.entry.problem.dofs /
                                            d.entry.phases.solve;
      d.describe_division();
      report_parts(d.entry, d.division);
    }

    const TimeStepping &time;
    Discretization<dim> &d;
    Checkpoints::OfCase &checkpoint;
    const Problem<double> problem;
    Stimuli<double> stimuli;
    const std::vector<double> jumps; ///< of the stimuli
    Vector<double> potential, before;
    const VectorOperations<double> operations;
    const MeshValues nodes;
    std::optional<StepControl> control;
    std::unique_ptr<TimeScheme> scheme;
    std::optional<typename Observation<dim>::OfCase> observer;
    std::optional<Progress> progress;

    CGResult result     = {}; ///< of the last step
    std::string failure = {}; ///< of the last step, in a sentence
    int iterations      = 0;
    std::size_t steps = 0, first_step = 0;
    double now = 0;
  };

  template <int dim>
  class MonodomainCase : public StudyCase<dim>
  {
  public:
    MonodomainCase(const Equation<dim> &equation, Observation<dim> &observation,
                   const Checkpoints &checkpoints, Discretization<dim> &d)
      : equation(equation), observation(observation), checkpoints(checkpoints),
        d(d)
    {}

    void
    discretize() override
    {
      data = ::discretize(equation, d);
      observation.check(d);
      checkpoint.emplace(checkpoints, d);
    }

    Solution
    solve() override
    {
      return Simulation<dim>(equation, d, data, observation, *checkpoint).run();
    }

  private:
    const Equation<dim> &equation;
    Observation<dim> &observation;
    const Checkpoints &checkpoints;
    Discretization<dim> &d;
    Data<dim> data;
    std::optional<Checkpoints::OfCase> checkpoint;
  };
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
run_monodomain(const Parameters &parameters, const program::CommandLine &line,
               program::Record &record)
{
  const Equation<dim> equation(parameters);
  const auto exact = ExactSolution<dim>::read(parameters);
  Observation<dim> observation(parameters, equation.tissue.model,
                               line.output_folder);
  const Checkpoints checkpoints(parameters, line.output_folder);
  if (checkpoints.restarts())
    record.keep_earlier_files();
  run_study<dim>(parameters, line, record, exact.get(),
                 [&](Discretization<dim> &d) {
                   return std::make_unique<MonodomainCase<dim>>(
                     equation, observation, checkpoints, d);
                 });
}


template void
run_monodomain<2>(const Parameters &, const program::CommandLine &,
                  program::Record &);
template void
run_monodomain<3>(const Parameters &, const program::CommandLine &,
                  program::Record &);
