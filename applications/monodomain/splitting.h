#pragma once

#include "time_scheme.h"

#include "cell_models/membrane.h"
#include <tessera/base/vector_operations.h>
#include <tessera/fem/driver/linear_system.h>
#include <tessera/space/coefficient.h>

#include <map>
#include <memory>

/// How operator splitting goes through a step from t to t + dt.
enum class SplittingScheme
{
  godunov, ///< reaction, then backward Euler for diffusion: first order
  strang   ///< half a reaction, Crank-Nicolson, half a reaction: second order
};

/// Operator splitting with a cell at every node, all in the memory of the
/// backend. With theta = 1
/// (godunov) or 1/2 (strang), a diffusion step solves
///   (M + theta dt K) V_theta = M V,   V <- V + (V_theta - V) / theta,
/// by conjugate gradients from V on; matrix and preconditioner are kept for
/// every length of steps. Reactions are of the order of the scheme
/// (Membrane::advance).
class Splitting : public TimeScheme
{
public:
  /// `problem` says how systems are solved, and gets the times of the assembly;
  /// it must outlive this object. D is the diffusion tensor.
  Splitting(tessera::DiscreteProblem &problem,
            const tessera::Problem<double> &discrete,
            const tessera::Coefficient &D, SplittingScheme scheme,
            int reaction_steps, tessera::Membrane<double> membrane);
  ~Splitting() override;

  void
  prepare(double step) override;

  StepResult
  advance(Vector &potential, const double *stimulus, double step) override;

  void
  save(tessera::State &state) const override;

  void
  restore(const tessera::State &state) override;

  void
  record() const override;

private:
  struct System;

  System &
  system_of(double step);

  /// Returns the number of states of a cell besides the potential.
  std::size_t
  n_states() const
  {
    return membrane.model().states.size() - 1;
  }

  void
  react(Vector &potential, const double *stimulus, double step);

  tessera::DiscreteProblem &problem;
  const tessera::Problem<double> discrete;
  const tessera::Coefficient D;
  const SplittingScheme scheme;
  const int reaction_steps;
  tessera::Membrane<double> membrane;
  std::unique_ptr<tessera::Operator<double>> mass;
  /// Maps the length of steps to their system. The length is rounded to units
  /// of 10^-9 of the first step, so that a matrix does not depend on the steps
  /// before.
  std::map<long long, std::unique_ptr<System>> systems;
  double first_step   = 0;
  long long last_step = 0; ///< in these units
  Vector b, before, increment;
  const tessera::VectorOperations<double> operations;
  /// Seconds of the parts of all steps so far.
  struct
  {
    double reaction = 0, product = 0, solve = 0;
  } spent;
};
