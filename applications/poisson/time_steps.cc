#include "time_steps.h"

#include <tessera/base/error.h>
#include <tessera/dealii/time_intervals.h>

#include <cmath>

using namespace tessera;

void
TimeSteps::declare(Parameters &parameters)
{
  namespace Patterns = dealii::Patterns;
  parameters.declare(
    "Time/Scheme", "stationary",
    Patterns::Selection("stationary|backward_euler|crank_nicolson"),
    "how time goes on: errors fall as the step "
    "(backward_euler) or its square (crank_nicolson); "
    "formulas of sources, boundary values and the exact "
    "solution may have t, and what is shown is the end");
  parameters.declare("Time/End", "1", Patterns::Double(),
                     "of the time, which begins at 0");
  parameters.declare("Time/Step", "0.1", Patterns::Double(),
                     "the longest step of the first cycle; all are equal");
  parameters.declare("Time/Step divisor", "1", Patterns::Integer(1, 64),
                     "by which steps are shorter in every further cycle");
  parameters.declare("Time/Write every", "0", Patterns::Integer(0),
                     "steps between files of the series "
                     "time_p1_c0.pvd, named by degree and cycle, which have u "
                     "alone; 0, or Output/VTU = false: no files");
  parameters.declare_time("Time/Scheme", "stationary");
}


void
TimeSteps::check_unused(const Parameters &parameters)
{
  if (parameters.have_time())
    return;
  for (const auto &[path, value] : parameters.values())
    for (const std::string section : {"Time/", "Capacity/", "Initial value/"})
      if (path.rfind(section, 0) == 0 && parameters.is_changed(path))
        throw ParameterError("'" + path + "' = " + value +
                             " is for steps in time, which 'Time/Scheme' = "
                             "stationary does not take; "
                             "backward_euler and crank_nicolson do.");
}


TimeSteps::TimeSteps(const Parameters &parameters)
  : end(parameters.get_positive("Time/End")),
    step(parameters.get_positive("Time/Step")),
    theta(parameters.get("Time/Scheme") == "crank_nicolson" ? 0.5 : 1.),
    divisor(parameters.get_integer("Time/Step divisor")),
    write_every(parameters.get_bool("Output/VTU")
                  ? parameters.get_integer("Time/Write every")
                  : 0)
{
  check_interval(parameters, "Time/Step",
                 std::pow(divisor, parameters.get_integer("Mesh/Cycles") - 1));
  if (parameters.get("Operator/Number") != "double" ||
      parameters.get("Solver/Mixed precision") != "none" ||
      parameters.get("Boundary conditions/Elimination") != "before")
    throw ParameterError(
      "'Time/Scheme' = " + parameters.get("Time/Scheme") +
      " needs 'Operator/Number' = double, 'Solver/Mixed precision' = none and "
      "'Boundary conditions/Elimination' = before.");
}


int
TimeSteps::n_steps(const int cycle) const
{
  const double n = end / step * std::pow(divisor, cycle);
  return std::max(1, static_cast<int>(std::ceil(n * (1 - 1e-9))));
}
