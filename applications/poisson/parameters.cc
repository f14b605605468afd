#include "poisson.h"

#include <tessera/dealii/choices.h>

#include <deal.II/base/utilities.h>

using namespace tessera;

namespace
{
  std::vector<int>
  read_degrees(const Parameters &parameters)
  {
    const auto list = parameters.get_list("Finite element/Degrees");
    return dealii::Utilities::string_to_int(list);
  }

  AssemblyOptions
  read_assembly(const Parameters &parameters)
  {
    AssemblyOptions options;
    const std::string conflict = parameters.get("Operator/Conflict");
    options.strategy =
      strategy_from_string(parameters.get("Operator/Strategy"));
    if (conflict != "default")
      options.conflict = conflict_from_string(conflict);
    return options;
  }

  CGControl
  read_control(const Parameters &parameters)
  {
    CGControl control;
    control.relative_tolerance =
      parameters.get_double("Solver/Relative tolerance");
    control.max_iterations =
      parameters.get_integer("Solver/Maximal iterations");
    return control;
  }
} // namespace


void
Poisson::declare(Parameters &parameters)
{
  namespace Patterns   = dealii::Patterns;
  const auto selection = [](const std::string &kind) {
    return Patterns::Selection(choices(kind).selection());
  };

  declare_mesh(parameters);
  parameters.declare("Mesh/Cycles", "1", Patterns::Integer(1, 15),
                     "meshes to solve on, each refined once more");
  parameters.declare("Finite element/Degrees", "1, 2, 3, 4",
                     Patterns::List(Patterns::Integer(1, 4), 1, 4),
                     "polynomial degrees");
  parameters.declare("Finite element/Numbering", "batch_interleaved",
                     selection("numbering"),
                     "order of the degrees of freedom; see --list");
  parameters.declare("Finite element/Cell order", "hilbert",
                     selection("cell order"), "order of the cells; see --list");
  parameters.declare("Coefficient/Expression", "1", Patterns::Anything(),
                     "kappa: one formula of x and y, or kxx; kxy; kyy of a "
                     "symmetric tensor");
  parameters.declare("Source/Function expression", "0", Patterns::Anything(),
                     "f, a formula of x and y");
  BoundaryConditions::declare(parameters);
  ExactSolution::declare(parameters);
  parameters.declare("Operator/Name", "matrix_free", selection("operator"),
                     "how A x is computed; see --list");
  parameters.declare("Operator/Number", "double",
                     Patterns::Selection("double|float"),
                     "number type of vectors and operators");
  parameters.declare("Operator/Strategy", "local_reuse", selection("strategy"),
                     "how entries of cell matrices are computed; see --list");
  parameters.declare(
    "Operator/Conflict", "default",
    Patterns::Selection("default|" + choices("conflict").selection()),
    "how threads that add to one entry are kept apart; see "
    "--list; default: what suits the backend");
  parameters.declare("Solver/Relative tolerance", "1e-10",
                     Patterns::Double(0., 1.),
                     "of the norm of the right-hand side");
  parameters.declare("Solver/Maximal iterations", "10000", Patterns::Integer(1),
                     "of conjugate gradients; exit code 4 when reached");
  Validation::declare(parameters);
  parameters.declare("Output/VTU", "true", Patterns::Bool(),
                     "whether solutions are written for ParaView");
}


Poisson::Poisson(const Parameters &parameters)
  : parameters(parameters), degrees(read_degrees(parameters)),
    n_cycles(parameters.get_integer("Mesh/Cycles")),
    kappa(parameters, "Coefficient/Expression", {1, 3}),
    source(parameters, "Source/Function expression"), boundary(parameters),
    exact(ExactSolution::read(parameters)),
    operator_name(parameters.get("Operator/Name")),
    number(parameters.get("Operator/Number")),
    numbering(
      numbering_from_string(parameters.get("Finite element/Numbering"))),
    cell_order(
      cell_order_from_string(parameters.get("Finite element/Cell order"))),
    assembly(read_assembly(parameters)), control(read_control(parameters)),
    validation(parameters, degrees.size(), exact != nullptr, n_cycles)
{}
