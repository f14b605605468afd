#pragma once

#include <tessera/dealii/parameters.h>

/// The section `Time`, unless the problem is stationary.
struct TimeSteps
{
  static void
  declare(tessera::Parameters &parameters);

  /// Throws ParameterError for an entry of the sections `Time`, `Capacity` and
  /// `Initial value` that is not the default of a stationary problem.
  static void
  check_unused(const tessera::Parameters &parameters);

  /// Throws ParameterError for lengths that are not legal, and for what is not
  /// solved in time.
  explicit TimeSteps(const tessera::Parameters &parameters);

  /// The number of equal steps of a cycle.
  int
  n_steps(int cycle) const;

  double end, step;
  /// 1: backward Euler; 1/2: Crank-Nicolson.
  double theta;
  int divisor;     ///< of the step from one cycle to the next
  int write_every; ///< steps; 0: no files, as without Output/VTU
};
