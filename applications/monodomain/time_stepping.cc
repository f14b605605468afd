#include "time_stepping.h"
#include "implicit.h"
#include "splitting.h"

#include <tessera/base/error.h>
#include <tessera/cell_models/stimulus.h>
#include <tessera/forms/reaction_diffusion.h>

#include <cmath>

using namespace tessera;

namespace
{
  double
  positive(const Parameters &parameters, const std::string &entry)
  {
    const double value = parameters.get_double(entry);
    if (!(value > 0) || !std::isfinite(value))
      throw ParameterError("'" + entry + "' is " + parameters.get(entry) +
                           "; legal are positive numbers.");
    return value;
  }
} // namespace


void
TimeStepping::declare(Parameters &parameters)
{
  namespace Patterns = dealii::Patterns;
  parameters.declare("Time/End", "100", Patterns::Double(),
                     "when the computation ends, in the unit of time of "
                     "the cell model (ms or 1)");
  parameters.declare("Time/Step", "0.05", Patterns::Double(),
                     "longest time step; steps hit stimuli and output");
  parameters.declare("Time/Scheme", "strang",
                     Patterns::Selection("godunov|strang|implicit|bdf2"),
                     "godunov: reaction, then backward Euler, first order; "
                     "strang: half a reaction, Crank-Nicolson, half a "
                     "reaction, second order; implicit: backward Euler for "
                     "all, by Newton's method, first order; bdf2: the same by "
                     "backward differences of second order");
  parameters.declare("Time/Reaction steps", "1", Patterns::Integer(1, 100000),
                     "of godunov and strang: equal steps of the cell model "
                     "within each of its parts of a step");
  parameters.declare("Time/Tolerance", "0", Patterns::Double(0.),
                     "of implicit and bdf2: what a step may add to the error "
                     "of the potential, in its unit, which chooses the length "
                     "of steps; 0: all have the length of Time/Step");
  parameters.declare("Time/Newton tolerance", "1e-8", Patterns::Double(0., 1.),
                     "of implicit and bdf2: the residual of Newton's method "
                     "relative to the right-hand side");
  parameters.declare("Time/Newton iterations", "15", Patterns::Integer(1, 1000),
                     "of implicit and bdf2: a step that needs more is halved");
}


TimeStepping::TimeStepping(const Parameters &parameters, const CellModel &model)
  : end(positive(parameters, "Time/End")),
    step(positive(parameters, "Time/Step")),
    scheme(parameters.get("Time/Scheme")),
    implicit(scheme == "implicit" || scheme == "bdf2"),
    reaction_steps(parameters.get_integer("Time/Reaction steps")),
    tolerance(parameters.get_double("Time/Tolerance")),
    newton_tolerance(positive(parameters, "Time/Newton tolerance")),
    newton_iterations(parameters.get_integer("Time/Newton iterations"))
{
  if (implicit)
    PointMembrane<double>::check(model);
  else if (tolerance > 0)
    throw ParameterError("'Time/Tolerance' is " +
                         parameters.get("Time/Tolerance") +
                         ", but 'Time/Scheme' = " + scheme +
                         " has steps of one length; legal is 0.");
}


StepControl
TimeStepping::control(const std::vector<double> &events) const
{
  return {time_steps(end, tolerance > 0 ? end : step, events), step, tolerance};
}


std::unique_ptr<TimeScheme>
TimeStepping::make_scheme(DiscreteProblem &problem,
                          std::shared_ptr<const CellData<double>> cells,
                          const Coefficient &D, const TissueCells &tissue) const
{
  if (!implicit)
    return std::make_unique<Splitting>(
      problem, cells, D,
      scheme == "strang" ? SplittingScheme::strang : SplittingScheme::godunov,
      reaction_steps,
      Membrane<double>(tissue.model, problem.backend, tissue.of_nodes,
                       tissue.values));
  using Points       = PointMembrane<double>;
  const auto tangent = std::make_shared<FormData<double>>(
    reaction_diffusion(Points::coefficient(D, cells->space())), *cells);
  return std::make_unique<Implicit>(
    problem, cells,
    Points(tissue.model, cells, tissue.of_cells, tissue.values, tangent),
    ImplicitOptions{scheme == "bdf2" ? 2 : 1, newton_tolerance,
                    newton_iterations, step});
}
