#pragma once

#include "equation.h"

#include <tessera/fem/driver/step_solver.h>

#include <memory>
#include <optional>
#include <utility>

/// Values by deal.II's index, [n_dofs].
using Values = std::vector<double>;

/// The linear system that all steps on one mesh share,
///     (C / (theta dt) + A) w = C / (theta dt) u + load
/// where A is the matrix of -div(kappa grad w) + c w with Robin boundaries, in
/// all processes of a case together.
class StepSystem
{
public:
  /// Makes the operators and the preconditioner. `d` must outlive this object.
  StepSystem(tessera::SolverCase &d, const Data &data, double theta,
             double step);

  tessera::Vector<double>
  make_vector() const
  {
    return problem.make_vector();
  }

  /// Returns a vector with these values at the free degrees of freedom.
  tessera::Vector<double>
  vector_of(const Values &values) const;

  /// Sets `values` to the values of u and, if constrained, to `given`.
  void
  read(const tessera::Vector<double> &u, const Values &given,
       Values &values) const;

  /// Returns the load of f and of boundaries.
  tessera::Vector<double>
  loads(const Data &data) const;

  /// Adds the contributions of boundary values to a load; `mean` are the
  /// boundary values of w, `before` the ones of u.
  void
  lift(tessera::Vector<double> &load, const Values &mean,
       const Values &before) const;

  /// Solves for w, which is overwritten. The solve begins at u.
  tessera::CGResult
  solve(tessera::Vector<double> &w, const tessera::Vector<double> &u,
        const tessera::Vector<double> &load);

  /// Adds the record values of the operators and the solver to the record.
  void
  describe() const;

private:
  using Operator = tessera::Operator<double>;

  tessera::SolverCase &d;
  const tessera::Problem<double> problem;
  const tessera::Form mass_form, form;
  std::unique_ptr<tessera::LinearSystem<double>> system;
  std::unique_ptr<Operator> mass;
  std::optional<tessera::StepSolver> solver;
  tessera::Vector<double> b; ///< temporary
  bool is_stored = false;    ///< the first system, if that was requested
};
