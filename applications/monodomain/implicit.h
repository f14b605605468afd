#pragma once

#include "time_scheme.h"

#include "cell_models/point_membrane.h"
#include "cell_models/step_error.h"
#include "tangents.h"
#include <tessera/base/vector_operations.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// Options of the implicit scheme.
struct ImplicitOptions
{
  int order = 1; ///< backward Euler; 2: BDF2
  /// The residual of Newton's method relative to the right-hand side.
  double tolerance   = 1e-8;
  int max_iterations = 15;
  double longest     = 1; ///< of the steps
  /// If true, the time that the matrices of cells take by themselves is
  /// measured at the end.
  bool phases          = false;
  std::string tangents = "own"; ///< who has them (Tangents::choices)
};

/// The scheme of WongKuhlDarve2015, Table 1: backward Euler, or BDF2, for the
/// potential at the nodes and the recoveries at the points of cells, by
/// Newton's method at every point, or by the method of Rush and Larsen for
/// models with gates, within a Newton's method for the nodes. It
/// begins with the extrapolation of earlier potentials, whose distance from the
/// result also estimates the error of the step. Each iteration computes
/// recoveries, tangent and residual anew (PointMembrane), in an operator and by
/// kernels that are set up once, and solves by conjugate gradients (Tangents).
/// Nothing but norms leaves the backend.
class Implicit : public TimeScheme
{
public:
  /// `this_case` says how systems are solved, and gets the times of the
  /// assembly; it must outlive this object.
  Implicit(tessera::SolverCase &this_case,
           const tessera::Problem<double> &problem,
           tessera::PointMembrane<double> points,
           const ImplicitOptions &options);
  void
  prepare(double step) override;

  StepResult
  advance(Vector &potential, const double *stimulus, double step) override;

  bool
  may_repeat() const override
  {
    return true;
  }

  void
  accept(double step) override;

  void
  forget() override
  {
    n_past = 0;
  }

  void
  save(tessera::State &state) const override;

  void
  restore(const tessera::State &state) override;

  void
  record() const override;

private:
  /// Sets `potential` to the extrapolation of earlier steps.
  void
  predict(Vector &potential, int order, double step);

  /// Computes the residual of Newton's method. Returns its norm. In the
  /// `same_step` as the last call, earlier potentials are the same, and the
  /// states of points begin with their last values.
  double
  linearize(const Vector &potential, const double *stimulus,
            const tessera::BackwardDifference &difference, bool same_step);

  /// Iterates until the residual is small.
  StepResult
  iterate(Vector &potential, const double *stimulus,
          const tessera::BackwardDifference &difference);

  /// Returns the seconds that `work` takes by itself.
  double
  measured(const std::function<void()> &work) const;

  /// Records the seconds of the parts of assembly and conjugate gradients.
  void
  record_parts() const;

  tessera::SolverCase &this_case;
  const tessera::Problem<double> problem;
  tessera::PointMembrane<double> points;
  const ImplicitOptions options;
  const std::unique_ptr<Tangents> tangents;

  int n_past       = 0;  ///< steps since the derivative jumped
  double former[2] = {}; ///< lengths of the last two of them
  Vector past[3];        ///< potentials: now, and before those steps
  Vector predicted, load, residual, correction;
  Vector right_side; ///< of the last system, for `--export-matrix`
  const tessera::VectorOperations<double> operations;
  tessera::StepError<double> step_error;

  /// The seconds and counts of all steps so far.
  struct
  {
    double points = 0, residual = 0, assembly = 0, solve = 0;
    long newton = 0, products = 0, assemblies = 0;
  } spent;
  std::vector<double> norms;   ///< of the residuals of this step
  std::vector<double> longest; ///< norms of the step with the most of them
};
