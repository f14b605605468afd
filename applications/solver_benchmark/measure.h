#pragma once

#include "study.h"
#include "system.h"

#include <report.h>
#include <solver.h>

#include <limits>

/// Data on the operator of a solve for the checks of a row.
struct Accuracy
{
  double deviation = 0; ///< of a product, see System::deviation
  double eps       = 0;
};

template <class Number>
Accuracy
accuracy_of(const System &system, const tessera::Operator<Number> &A)
{
  return {system.deviation(A), A.precision().eps};
}

/// The table of solves.
const tessera::benchmarks::Layout &
solve_layout();

/// Solves several times, and sets times, model, residual and error of the row.
/// The row's error is the largest of these over its limit:
/// - the deviation of a product over `Error limit` eps of its rounding scale;
/// - where the solve converged, the true residual over the tolerance plus ten
///   times the deviation, which bounds what the number type can reach;
/// - where the solution is known as well, the error over the largest condition
///   number times the residuals of x and x*.
template <class Number>
void
measure_solver(tessera::program::Row &row,
               tessera::benchmarks::Solver<Number> &solver,
               const System &system, const Accuracy &accuracy,
               const SolverStudy &study,
               const tessera::benchmarks::Report &report);
