#pragma once

#include "step_control.h"

#include "cell_models/cell_model.h"
#include "cell_models/point_membrane.h"
#include <tessera/fem/driver/linear_system.h>
#include <tessera/program/parameters.h>
#include <tessera/space/coefficient.h>

#include <memory>
#include <string>
#include <vector>

/// The cells of a case: their model, its parameters by region, and the regions
/// of nodes and of the cells of the space.
struct TissueCells
{
  const tessera::CellModel &model;
  const std::vector<std::vector<double>> &values;
  const std::vector<unsigned char> &of_nodes, &of_cells;
};

/// The section `Time`.
class TimeStepping
{
public:
  static void
  declare(tessera::Parameters &parameters);

  /// `lists` has parameters of the cell model. Throws ParameterError for
  /// lengths that are not legal, for what the scheme does not do for that cell
  /// model, and for tables of rates that are not good enough.
  TimeStepping(const tessera::Parameters &parameters,
               const tessera::CellModel &model,
               const std::vector<std::vector<double>> &lists);

  /// Throws ParameterError if the scheme does not suit the cells of the case,
  /// and what `Tangents::check` throws.
  void
  check(const tessera::SolverCase &this_case) const;

  /// Returns the number of values that coefficients have at a point of a cell,
  /// for estimates of memory.
  int
  n_varying(const tessera::Coefficient &D, const tessera::Space &space) const;

  /// Returns the bytes that the scheme keeps for the cells of the tissue and
  /// the potentials of other steps.
  double
  bytes(const tessera::CellModel &model, const tessera::Space &space) const;

  /// Returns how long the steps are that hit `events`.
  StepControl
  control(const std::vector<double> &events) const;

  /// Makes the scheme; `this_case` must outlive it. D is the diffusion tensor.
  std::unique_ptr<TimeScheme>
  make_scheme(tessera::SolverCase &this_case,
              const tessera::Problem<double> &problem,
              const tessera::Coefficient &D, const TissueCells &tissue) const;

  /// Returns an empty string or, if potentials at the end are more than 1000
  /// times as large as the thresholds of the cell model or not a number, the
  /// sentence that steps were not stable. For all processes together.
  std::string
  instability(const tessera::SolverCase &this_case,
              const tessera::Vector<double> &potential) const;

  const double end, step;

private:
  const std::string scheme;
  const bool implicit;
  const int reaction_steps;
  const bool lumped, stages;
  const std::string rates;
  const tessera::Integration integration;
  const double tolerance, newton_tolerance;
  const int newton_iterations;
  const bool measure_phases;
  const std::string tangents;
  const double largest_potential;
  double table_bytes = 0;
};
