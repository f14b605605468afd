#include "time_stepping.h"
#include "implicit.h"
#include "splitting.h"
#include "tangents.h"

#include "cell_models/stimulus.h"
#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/fem/input/time_intervals.h>
#include <tessera/forms/reaction_diffusion.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>
#include <tessera/preconditioners/choice.h>
#include <tessera/preconditioners/descriptor.h>

#include <algorithm>
#include <cmath>

using namespace tessera;

namespace
{
  /// The longest implicit step, in ms, of a model with states that are advanced
  /// explicitly. Steps of 2 ms change the plateau of `ohara_rudy` by 0.4 mV,
  /// and steps of 5 ms of `ten_tusscher_panfilov` are unstable, without notice
  /// by the estimate of the potential's error.
  constexpr double longest_explicit = 1;
} // namespace

void
TimeStepping::declare(Parameters &parameters)
{
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
                     "for godunov and strang: equal steps of the cell model "
                     "within each of its parts of a step");
  parameters.declare(
    "Time/Mass", "consistent", Patterns::Selection("consistent|lumped"),
    "the mass matrix of godunov and strang. consistent: the one of the "
    "elements; lumped: the diagonal of its row sums, for all elements but "
    "triangles and tetrahedra of degree 2. Fronts on coarse meshes are too "
    "fast with the first one and too slow with the second one");
  parameters.declare(
    "Time/Diffusion", "solve", Patterns::Selection("solve|stages"),
    "how godunov and strang take a step of diffusion. solve: by an "
    "implicit step and conjugate gradients; stages: by an explicit "
    "Runge-Kutta-Chebyshev method with a lumped mass, whose stages, one "
    "product each, are as many as the step needs to be stable");
  parameters.declare(
    "Time/Rates", "exact", Patterns::Selection("exact|tables|narrow"),
    "how godunov and strang have what depends on the potential alone: limits "
    "and rates of gates, and parts of currents. exact: it is computed; tables: "
    "it is read from tables, in which limits and decays are off by less than "
    "1e-7 between -200 and 300 mV, for two gates of ohara_rudy by 2e-6; "
    "narrow: tables, and their gates are stored in 32 bits, as multiples of "
    "2.3e-10");
  parameters.declare(
    "Time/Integration", "full", Patterns::Selection("full|reduced"),
    "for implicit and bdf2: where the cells of the tissue are. "
    "full: at all points of the element's rule; reduced: at "
    "one point, for triangles and tetrahedra of degree 1");
  parameters.declare("Time/Tolerance", "0", Patterns::Double(0.),
                     "for implicit and bdf2: what a step may add to the error "
                     "of the potential, in its unit, which chooses the length "
                     "of steps; 0: all have the length of Time/Step");
  parameters.declare("Time/Newton tolerance", "1e-8", Patterns::Double(0., 1.),
                     "for implicit and bdf2: the residual of Newton's method "
                     "relative to the right-hand side");
  parameters.declare("Time/Newton iterations", "15", Patterns::Integer(1, 1000),
                     "for implicit and bdf2: a step that needs more is halved");
  parameters.declare(
    "Time/Tangents", "own", Patterns::Selection(Tangents::choices()),
    "who has the systems of Newton's method, for comparisons with implicit and "
    "bdf2. own: the backend, by the sections Operator and Solver; device: the "
    "host assembles, and a device solves with the operator and the diagonal; "
    "petsc_jacobi, petsc_block_jacobi: PETSc on the host, with that "
    "preconditioner");
  parameters.declare("Time/Measure phases", "false", Patterns::Bool(),
                     "for implicit and bdf2: measure at the end what the "
                     "matrices of cells take by themselves and what their "
                     "summation into rows, for the record; this needs memory "
                     "for the matrices");
}


TimeStepping::TimeStepping(const Parameters &parameters, const CellModel &model,
                           const std::vector<std::vector<double>> &lists)
  : end(parameters.get_positive("Time/End")),
    step(parameters.get_positive("Time/Step")),
    scheme(parameters.get("Time/Scheme")),
    implicit(scheme == "implicit" || scheme == "bdf2"),
    reaction_steps(parameters.get_integer("Time/Reaction steps")),
    lumped(parameters.get("Time/Mass") == "lumped"),
    stages(parameters.get("Time/Diffusion") == "stages"),
    rates(parameters.get("Time/Rates")),
    integration(parameters.get("Time/Integration") == "reduced"
                  ? Integration::reduced
                  : Integration::full),
    tolerance(parameters.get_double("Time/Tolerance")),
    newton_tolerance(parameters.get_positive("Time/Newton tolerance")),
    newton_iterations(parameters.get_integer("Time/Newton iterations")),
    measure_phases(parameters.get_bool("Time/Measure phases")),
    tangents(parameters.get("Time/Tangents")),
    largest_potential(1000 * std::max(std::abs(model.activation),
                                      std::abs(model.repolarisation)))
{
  check_interval(parameters, "Time/Step");
  if (implicit && reaction_steps > 1)
    throw ParameterError("'Time/Reaction steps' is " +
                         std::to_string(reaction_steps) +
                         ", but 'Time/Scheme' = " + scheme +
                         " has no reactions apart; legal is 1.");
  if (implicit && model.time_unit == "ms" && step > longest_explicit &&
      !PointMembrane<double>::solves_for_recovery(model) &&
      model.states.size() > std::size_t(model.n_gates) + 1)
    throw ParameterError("'Time/Step' is " + parameters.get("Time/Step") +
                         " ms, too long for states of " + model.name +
                         " that are no gates, which 'Time/Scheme' = " + scheme +
                         " advances explicitly; legal are at most 1 ms.");
  if (!implicit && tolerance > 0)
    throw ParameterError("'Time/Tolerance' is " +
                         parameters.get("Time/Tolerance") +
                         ", but 'Time/Scheme' = " + scheme +
                         " has steps of one length; legal is 0.");
  if (!implicit && integration == Integration::reduced)
    throw ParameterError(
      "'Time/Integration' is reduced, but 'Time/Scheme' = " + scheme +
      " has its cells at the nodes; legal is full.");
  if (lumped && implicit)
    throw ParameterError(
      "'Time/Mass' is lumped, but 'Time/Scheme' = " + scheme +
      " has its cells at points; legal is consistent.");
  if (stages && !lumped)
    throw ParameterError(
      "'Time/Diffusion' is stages, which need 'Time/Mass' = "
      "lumped; legal with a consistent mass is solve.");
  for (const std::string entry : {"Solver/Preconditioner", "Solver/Method"})
    if (stages && parameters.is_changed(entry))
      throw ParameterError("'" + entry + "' is " + parameters.get(entry) +
                           ", but 'Time/Diffusion' = stages solves no system; "
                           "legal is auto.");
  const std::string preconditioner = parameters.get("Solver/Preconditioner");
  const auto plain                 = preconditioners_where([](const auto &d) {
    return !d.needs_matrix && d.works_with.reads(descriptor("matrix_free"));
  });
  if (lumped && preconditioner != auto_preconditioner &&
      std::count(plain.begin(), plain.end(), preconditioner) == 0)
    throw ParameterError(
      "'Solver/Preconditioner' = " + preconditioner +
      " needs a matrix, and with 'Time/Mass' = lumped there are only products; "
      "legal are auto, " +
      list_of(plain) + '.');
  if (rates != "exact" && (implicit || model.n_tabulated == 0))
    throw ParameterError(
      "'Time/Rates' is " + rates + ", but " +
      (implicit ? "'Time/Scheme' = " + scheme + " needs derivatives of rates"
                : "'Cell model/Model' = " + model.name + " has no gates") +
      "; legal is exact.");
  if (measure_phases && !implicit)
    throw ParameterError("'Time/Measure phases' is true, but 'Time/Scheme' = " +
                         scheme + " assembles no tangents; legal is false.");
  if (tangents != "own" && !implicit)
    throw ParameterError("'Time/Tangents' is " + tangents +
                         ", but 'Time/Scheme' = " + scheme +
                         " assembles no tangents; legal is own.");
  if (tangents != "own" && measure_phases)
    throw ParameterError(
      "'Time/Measure phases' is true, which needs "
      "'Time/Tangents' = own; legal is false.");
  const std::string name = parameters.get("Operator/Name");
  if (tangents != "own" && preconditioner != auto_preconditioner &&
      preconditioner != "jacobi")
    throw ParameterError("'Solver/Preconditioner' is " + preconditioner +
                         ", but 'Time/Tangents' = " + tangents +
                         " says how systems are solved; legal is auto.");
  if (tangents == "device" &&
      (name == auto_operator || !descriptor(name).has_pattern()))
    throw ParameterError(
      "'Time/Tangents' is device, which needs rows, but "
      "'Operator/Name' = " +
      name + " stores none by a pattern; csr does.");
  if (measure_phases && !stores_rows(name))
    throw ParameterError(
      "'Time/Measure phases' is true, but 'Operator/Name' "
      "= " +
      name + " sums up no rows; legal is false.");
  if (rates == "exact")
    return;
  const int order = scheme == "strang" ? 2 : 1;
  Membrane<double> no_cells(model, Backend::host, {}, lists);
  if (rates == "narrow")
    no_cells.narrow_gates();
  no_cells.tabulate(step / order, reaction_steps, order);
  table_bytes = order * lists.size() * Membrane<double>::table_bytes(model);
}


void
TimeStepping::check(const SolverCase &this_case) const
{
  Tangents::check(tangents, this_case);
  const Space &space = *this_case.space;
  if (lumped && is_simplex(space.cell_type) && space.degree > 1)
    throw ParameterError(
      "'Time/Mass' = lumped needs row sums of the mass matrix that are "
      "positive, and at the vertices of a " +
      to_string(space.cell_type) + " of degree " +
      std::to_string(space.degree) + " they are not; legal is consistent.");
  if (integration == Integration::reduced &&
      !PointMembrane<double>::can_reduce(space))
    throw ParameterError(
      "'Time/Integration' = reduced has one point in a cell, which suits "
      "triangles and tetrahedra of degree 1, and not a " +
      to_string(space.cell_type) + " of degree " +
      std::to_string(space.degree) + "; legal is full.");
}


int
TimeStepping::n_varying(const Coefficient &D, const Space &space) const
{
  if (!implicit)
    return D.kind == Coefficient::Kind::uniform ? 0 : D.n_components + 1;
  const int n        = n_symmetric(space.dim()) + 1;
  const int n_points = space.points_per_cell();
  return integration == Integration::reduced ? (n + n_points - 1) / n_points
                                             : n;
}


double
TimeStepping::bytes(const CellModel &model, const Space &space) const
{
  const double s = sizeof(double), nodes = space.n_owned,
               cells = space.n_cells();
  // Operator splitting stores the states, a product, increments and the
  // potentials before, the diagonal of a lumped mass, and tables.
  if (!implicit)
    return s * nodes * (model.states.size() + (lumped ? 4 : 3)) + table_bytes;
  // Implicit schemes store states and sources at points, D and G if the
  // integration is reduced, and seven vectors of nodes, such as potentials and
  // residuals.
  const bool reduced  = integration == Integration::reduced;
  const double points = reduced ? 1 : space.points_per_cell();
  // Others than the backend keep the matrices of cells, or places for them, and
  // at most one entry with its column for each of their entries.
  const double n                 = space.dofs_per_cell();
  const double bytes_of_tangents = tangents == "own" ? 0 : 20 * n * n * cells;
  return s * (cells * (PointMembrane<double>::n_arrays(model) * points +
                       (reduced ? 2 * (n_symmetric(space.dim()) + 1) : 0)) +
              7 * nodes) +
         bytes_of_tangents;
}


StepControl
TimeStepping::control(const std::vector<double> &events) const
{
  return {time_steps(end, tolerance > 0 ? end : step, events), step, tolerance};
}


std::string
TimeStepping::instability(const SolverCase &this_case,
                          const Vector<double> &potential) const
{
  const std::vector<double> values = potential.to_vector();
  const bool is_bounded            = std::all_of(
               values.begin(), values.begin() + potential.n_owned(),
               [&](const double v) { return std::abs(v) <= largest_potential; });
  if (!this_case.any(!is_bounded))
    return {};
  return "The potential is more than 1000 times as large as the thresholds of "
         "the cell model or not a number, so that steps were not stable; a "
         "shorter 'Time/Step' or more 'Time/Reaction steps' may help.";
}


std::unique_ptr<TimeScheme>
TimeStepping::make_scheme(SolverCase &this_case, const Problem<double> &problem,
                          const Coefficient &D, const TissueCells &tissue) const
{
  if (!this_case.matrix_file.empty() && lumped)
    throw ParameterError(
      "--export-matrix writes the rows of the last steps, "
      "and with 'Time/Mass' = lumped no rows have the mass; "
      "legal is consistent.");
  if (!this_case.matrix_file.empty() &&
      !stores_rows(this_case.solver.operator_name))
    throw ParameterError(
      "--export-matrix writes the rows of the last steps, and 'Operator/Name' "
      "= " +
      this_case.solver.operator_name + " stores none; csr does.");
  if (!implicit)
    return std::make_unique<Splitting>(
      this_case, problem, D,
      SplittingOptions{
        scheme == "strang" ? SplittingScheme::strang : SplittingScheme::godunov,
        reaction_steps, lumped, stages, rates != "exact", rates == "narrow"},
      Membrane<double>(tissue.model, this_case.backend, tissue.of_nodes,
                       tissue.values));
  using Points       = PointMembrane<double>;
  const auto tangent = std::make_shared<FormData<double>>(
    reaction_diffusion(Points::coefficient(D, problem.space(), integration)),
    *problem.cells());
  return std::make_unique<Implicit>(
    this_case, problem,
    Points(tissue.model, problem.cells(), tissue.of_cells, tissue.values,
           tangent),
    ImplicitOptions{scheme == "bdf2" ? 2 : 1, newton_tolerance,
                    newton_iterations, step, measure_phases, tangents});
}
