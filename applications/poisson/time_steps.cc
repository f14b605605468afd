#include "time_steps.h"

#include <tessera/base/error.h>
#include <tessera/fem/input/time_intervals.h>
#include <tessera/fem/mesh/mesh.h>

#include <cmath>

using namespace tessera;

namespace
{
  constexpr const char *adapt_entry   = "Time/Adapt every",
                       *levels_entry  = "Time/Further levels";
  constexpr const char *default_adapt = "5", *default_levels = "3";
} // namespace

void
TimeSteps::declare(Parameters &parameters)
{
  parameters.declare(
    "Time/Scheme", "stationary",
    Patterns::Selection("stationary|backward_euler|crank_nicolson"),
    "how time goes on: errors fall as the step "
    "(backward_euler) or its square (crank_nicolson); "
    "formulas of sources, boundary values and the exact "
    "solution may have t, and what is shown is the end");
  parameters.declare("Time/End", "1", Patterns::Double(),
                     "when the time ends, which begins at 0");
  parameters.declare("Time/Step", "0.1", Patterns::Double(),
                     "the longest step of the first cycle; all are equal");
  parameters.declare("Time/Step divisor", "1", Patterns::Integer(1, 64),
                     "the factor by which steps are shorter in every further "
                     "cycle");
  parameters.declare("Time/Write every", "0", Patterns::Integer(0),
                     "steps between files of the series "
                     "time_p1_c0.pvd, named by degree and cycle, which have u "
                     "alone; 0, or Output/VTU = false: no files");
  parameters.declare(adapt_entry, default_adapt, Patterns::Integer(1),
                     "steps after which a mesh with Mesh/Refinement = adaptive "
                     "is refined and coarsened, and the solution interpolated");
  parameters.declare(levels_entry, default_levels, Patterns::Integer(0, 15),
                     "how often cells of the first mesh, by Initial "
                     "refinement, are divided at most where the mesh adapts; "
                     "they are joined up to the cells of the first mesh");
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
                  : 0),
    adapt_every(parameters.get_integer(adapt_entry)),
    n_levels(parameters.get_integer(levels_entry))
{
  if (!mesh_adapts(parameters))
    for (const std::string entry : {adapt_entry, levels_entry})
      if (parameters.is_changed(entry))
        throw ParameterError("'" + entry + "' = " + parameters.get(entry) +
                             " is for 'Mesh/Refinement' = adaptive, but that "
                             "is uniform.");
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
