#include "poisson.h"

#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/dealii/choices.h>
#include <tessera/dealii/patterns.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/csr_mgpu.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>

#include <deal.II/base/utilities.h>

#include <algorithm>

using namespace tessera;

namespace
{
  std::vector<int>
  read_degrees(const Parameters &parameters)
  {
    const std::string entry = "Finite element/Degrees";
    const auto degrees =
      dealii::Utilities::string_to_int(parameters.get_list(entry));
    for (std::size_t i = 0; i < degrees.size(); ++i)
      if (std::count(degrees.begin(), degrees.begin() + i, degrees[i]) > 0)
        throw ParameterError("'" + entry + "' = " + parameters.get(entry) +
                             " has the degree " + std::to_string(degrees[i]) +
                             " twice.");
    return degrees;
  }

  AssemblyOptions
  read_assembly(const Parameters &parameters)
  {
    AssemblyOptions options;
    const std::string route    = parameters.get("Operator/Route");
    const std::string conflict = parameters.get("Operator/Conflict");
    options.strategy =
      strategy_from_string(parameters.get("Operator/Strategy"));
    if (route != "default")
      options.route = route_from_string(route);
    if (conflict != "default")
      options.conflict = conflict_from_string(conflict);
    options.threads_per_row =
      threads_per_row_from_string(parameters.get("Operator/Threads per row"));
    const std::string width = parameters.get("Operator/Hybrid width");
    if (width != "auto")
      options.hybrid_width = dealii::Utilities::string_to_int(width);
    options.values_per_thread = values_per_thread_from_string(
      parameters.get("Operator/Values per thread"));
    const std::string block = parameters.get("Operator/Block size");
    if (block != "auto")
      options.block = dealii::Utilities::string_to_int(block);
    options.sell.lanes  = parameters.get_integer("Operator/Slice lanes");
    options.sell.window = parameters.get_integer("Operator/Slice window");
    options.sell.threads_per_row =
      parameters.get_integer("Operator/Slice threads per row");
    options.sell.threshold = parameters.get_integer("Operator/Slice threshold");
    options.slice_values =
      slice_values_from_string(parameters.get("Operator/Slice values"));
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

  std::string
  read_preconditioner(const Parameters &parameters)
  {
    const std::string entry = "Solver/Preconditioner";
    const std::string name  = parameters.get(entry);
    const std::string op    = parameters.get("Operator/Name");
    const auto legal        = operators_of_preconditioner(name);
    if (std::count(legal.begin(), legal.end(), op) == 0)
      throw ParameterError("'" + entry + "' is " + name +
                           ", which needs the entries of a matrix, but "
                           "'Operator/Name' is " +
                           op + "; legal with it " +
                           (legal.size() == 1 ? "is " : "are ") +
                           list_of(legal) + '.');
    return name;
  }

  PreconditionerOptions
  read_relaxation(const Parameters &parameters)
  {
    const std::string entry = "Solver/Relaxation";
    const double relaxation = parameters.get_double(entry);
    if (!(relaxation > 0 && relaxation < 2))
      throw ParameterError("'" + entry + "' is " + parameters.get(entry) +
                           "; legal are numbers between 0 and 2, without "
                           "these.");
    return {relaxation};
  }

  bool
  read_elimination(const Parameters &parameters)
  {
    const std::string entry = "Boundary conditions/Elimination";
    const bool after        = parameters.get(entry) == "after";
    const std::string name  = parameters.get("Operator/Name");
    if (after && !stores_rows(name))
      throw ParameterError("'" + entry +
                           "' is after, which changes the rows of a matrix, "
                           "but 'Operator/Name' is " +
                           name + "; legal with it is " +
                           list_of(row_operator_names()) + '.');
    return after;
  }

  /// 0 stands for the degree.
  int
  read_subdivisions(const Parameters &parameters)
  {
    const std::string entry = "Output/Subdivisions";
    const std::string value = parameters.get(entry);
    return value == "degree" ? 0 : dealii::Utilities::string_to_int(value);
  }
} // namespace


void
declare_parameters(Parameters &parameters)
{
  namespace Patterns   = dealii::Patterns;
  const auto selection = [](const std::string &kind) {
    return Patterns::Selection(choices(kind).selection());
  };

  declare_mesh(parameters);
  parameters.declare("Mesh/Cycles", "1", Patterns::Integer(1, 15),
                     "meshes to solve on, each refined once more");
  parameters.declare(
    "Mesh/Geometry", "auto",
    Patterns::Selection("auto|" + choices("geometry").selection()),
    "how cells are mapped, see --list; auto: quadrature on "
    "curved meshes, else vertices");
  parameters.declare("Finite element/Degrees", "1, 2, 3, 4",
                     Patterns::List(Patterns::Integer(1, 4), 1, 4),
                     "polynomial degrees, on triangles and tetrahedra up to 2");
  parameters.declare("Finite element/Numbering", "batch_interleaved",
                     selection("numbering"),
                     "order of the degrees of freedom; see --list");
  parameters.declare("Finite element/Cell order", "hilbert",
                     selection("cell order"),
                     "order of the cells; see --list; the numberings blocked "
                     "and blocked_aligned go by the order blocked");
  parameters.declare("Finite element/Block side",
                     std::to_string(default_block_side),
                     Patterns::Integer(1, max_block_side),
                     "cells a direction in a block of the order blocked");
  MaterialExpression<2>::declare(
    parameters, "Coefficient", "Expression", "1",
    "kappa: one formula of x, y and z, or those of a symmetric tensor, "
    "xx; xy; yy in two and xx; xy; xz; yy; yz; zz in three dimensions");
  MaterialExpression<2>::declare(parameters, "Source", "Function expression",
                                 "0", "f, a formula of x, y and z");
  BoundaryConditions<2>::declare(parameters);
  parameters.declare("Boundary conditions/Elimination", "before",
                     Patterns::Selection("before|after"),
                     "when Dirichlet values are eliminated: before the "
                     "assembly, or by zeroed rows and columns after it "
                     "(operators of rows: " +
                       list_of(row_operator_names()) + ')');
  ExactSolution<2>::declare(parameters);
  parameters.declare(
    "Operator/Name", "matrix_free",
    Patterns::Selection(choices("operator").selection() + '|' + auto_operator),
    "how A x is computed; see --list; auto: the quickest of "
    "a few formats of rows, which are timed");
  parameters.declare("Operator/Number", "double",
                     Patterns::Selection("double|float"),
                     "number type of vectors and operators");
  parameters.declare("Operator/Strategy", "local_reuse", selection("strategy"),
                     "how entries of cell matrices are computed; see --list");
  parameters.declare(
    "Operator/Route", "default",
    Patterns::Selection("default|" + choices("route").selection()),
    "who writes the entries of assembled rows and load vectors; see --list; "
    "append belongs to lazy_ell and lazy_ell_consolidated, scatter and gather "
    "to other operators of rows; default: what suits operator, cells and "
    "backend, without gather where a conflict handling is set");
  parameters.declare(
    "Operator/Conflict", "default",
    Patterns::Selection("default|" + choices("conflict").selection()),
    "how threads that add to one entry are kept apart; see "
    "--list; default: what suits the backend");
  accept_gather_as_conflict(parameters, "Operator/Conflict", "Operator/Route");
  parameters.declare(
    "Operator/Threads per row", "auto",
    Patterns::Selection(selection_of(threads_per_row_names())),
    "that multiply a row of the operator csr on the device, or "
    "staged: a block brings its rows on chip, or streamed: a warp forms "
    "products entry by entry; auto: what suits lengths and columns of the "
    "rows");
  parameters.declare("Operator/Hybrid width", "auto", AutoOrInteger(0, 65534),
                     "entries of a row that the operator hybrid stores column "
                     "by column; auto: as many as a third of the rows have");
  parameters.declare(
    "Operator/Values per thread", "auto",
    Patterns::Selection(selection_of(values_per_thread_names())),
    "entries that a thread sums with the operator csr_mgpu on the device; "
    "auto: as suits the mean length of rows");
  parameters.declare("Operator/Block size", "auto", AutoOrInteger(32, 256),
                     "threads of a block, of the operator sell on the device: "
                     "a multiple of 32; auto: as tuned");
  parameters.declare(
    "Operator/Slice lanes", "32", Patterns::Integer(1, 256),
    "of sell, sell_packed and sell_short: places of a slice for each entry "
    "of its rows, a power of two");
  parameters.declare(
    "Operator/Slice window", "1", Patterns::Integer(0),
    "of sell, sell_packed and sell_short: rows that are sorted by length "
    "among themselves; 1: none, 0: all");
  parameters.declare(
    "Operator/Slice threads per row", "1", Patterns::Integer(1, 32),
    "of sell, sell_packed and sell_short: lanes that a row has, a power of "
    "two");
  parameters.declare(
    "Operator/Slice threshold", "0", Patterns::Integer(0),
    "of sell, sell_packed and sell_short: entries that a lane has at "
    "most, where more lanes a row can see to it; 0: none");
  parameters.declare(
    "Operator/Slice values", "number", Patterns::Selection("number|float"),
    "of sell_packed and sell_short: what products read of the matrix, of the "
    "type Number or 4 bytes; vectors, sums and all else stay of the type "
    "Number");
  parameters.declare("Solver/Preconditioner", "jacobi",
                     selection("preconditioner"),
                     "M of conjugate gradients; see --list");
  parameters.declare("Solver/Relaxation", "1", Patterns::Double(0., 2.),
                     "of ssor; 0 and 2 are not legal themselves");
  parameters.declare("Solver/Relative tolerance", "1e-10",
                     Patterns::Double(0., 1.),
                     "of the norm of the right-hand side");
  parameters.declare("Solver/Maximal iterations", "10000", Patterns::Integer(1),
                     "of conjugate gradients; exit code 4 when reached");
  Validation::declare(parameters);
  parameters.declare("Output/VTU", "true", Patterns::Bool(),
                     "whether solutions and boundaries are written for "
                     "ParaView");
  parameters.declare("Output/Subdivisions", "degree",
                     Patterns::Selection("degree|1|2|3|4|5|6|7|8"),
                     "parts a direction into which cells are cut in .vtu "
                     "files; triangles and tetrahedra become quadratic for 2 "
                     "and more");
  parameters.declare("Output/Fluxes", "true", Patterns::Bool(),
                     "whether the integral of (kappa grad u) . n over each "
                     "boundary is computed");
  Sampling<2>::declare(parameters);
}


template <int dim>
Poisson<dim>::Poisson(const Parameters &parameters)
  : parameters(parameters), degrees(read_degrees(parameters)),
    n_cycles(parameters.get_integer("Mesh/Cycles")),
    geometry(parameters.get("Mesh/Geometry")),
    kappa(parameters, "Coefficient", "Expression", true),
    source(parameters, "Source", "Function expression", false),
    boundary(parameters), eliminate_after(read_elimination(parameters)),
    exact(ExactSolution<dim>::read(parameters)),
    operator_name(parameters.get("Operator/Name")),
    number(parameters.get("Operator/Number")),
    numbering(
      numbering_from_string(parameters.get("Finite element/Numbering"))),
    cell_order(
      cell_order_from_string(parameters.get("Finite element/Cell order"))),
    block_side(parameters.get_integer("Finite element/Block side")),
    assembly(read_assembly(parameters)),
    preconditioner_name(read_preconditioner(parameters)),
    preconditioner_options(read_relaxation(parameters)),
    control(read_control(parameters)),
    validation(parameters, degrees.size(), exact != nullptr, n_cycles),
    subdivisions(read_subdivisions(parameters)), sampling(parameters)
{}


template Poisson<2>::Poisson(const Parameters &parameters);
template Poisson<3>::Poisson(const Parameters &parameters);
