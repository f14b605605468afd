#pragma once

#include <tessera/program/parameters.h>

/// Reads the section `Time`, unless the problem is stationary.
struct TimeSteps
{
  static void
  declare(tessera::Parameters &parameters);

  /// Throws ParameterError for an entry of the sections `Time`, `Capacity` and
  /// `Initial value` that is not the default of a stationary problem.
  static void
  check_unused(const tessera::Parameters &parameters);

  /// Throws ParameterError for lengths that are not legal, and for entries that
  /// cannot be used in time.
  explicit TimeSteps(const tessera::Parameters &parameters);

  /// Returns the number of equal steps of a cycle.
  int
  n_steps(int cycle) const;

  double end, step;
  /// Theta is 1 for backward Euler and 1/2 for Crank-Nicolson.
  double theta;
  int divisor;     ///< shortens the steps of every further cycle
  int write_every; ///< steps between files; 0: none, as without Output/VTU
  int adapt_every; ///< steps between changes of a mesh that adapts
  int n_levels;    ///< largest number of divisions of cells of such a mesh
};
