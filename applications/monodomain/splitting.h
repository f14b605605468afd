#pragma once

#include "time_scheme.h"

#include "cell_models/diffusion_stages.h"
#include "cell_models/membrane.h"
#include <tessera/base/vector_operations.h>
#include <tessera/fem/driver/linear_system.h>
#include <tessera/program/timing.h>
#include <tessera/space/coefficient.h>

#include <cstdint>
#include <map>
#include <memory>

/// How operator splitting goes through a step from t to t + dt.
enum class SplittingScheme
{
  godunov, ///< reaction, then diffusion: first order
  strang   ///< half a reaction, diffusion, half a reaction: second order
};

struct SplittingOptions
{
  SplittingScheme scheme;
  int reaction_steps;
  bool lumped; ///< M is the diagonal of the row sums of the mass matrix
  bool stages; ///< instead of solves; with a lumped mass alone
  bool tables; ///< of rates (Membrane::tabulate)
  bool narrow; ///< gates with tables have 32 bits (Membrane::narrow_gates)
};

/// Operator splitting with a cell at every node, all in the memory of the
/// backend. With theta = 1 (godunov: backward Euler) or 1/2 (strang:
/// Crank-Nicolson), a diffusion step solves
///   (M + theta dt K) V_theta = M V,   V <- V + (V_theta - V) / theta,
/// by conjugate gradients from V on, or it takes the stages of an explicit
/// method of the same order (DiffusionStages). What a length of steps needs is
/// kept. Reactions are of the order of the scheme (Membrane::advance).
class Splitting : public TimeScheme
{
public:
  /// `this_case` says how systems are solved, and gets the times of the
  /// assembly; it must outlive this object. D is the diffusion tensor.
  Splitting(tessera::SolverCase &this_case,
            const tessera::Problem<double> &problem,
            const tessera::Coefficient &D, const SplittingOptions &options,
            tessera::Membrane<double> membrane);
  ~Splitting() override;

  void
  prepare(double step) override;

  StepResult
  advance(Vector &potential, const double *stimulus, double step) override;

  void
  finish() const override;

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

  /// Makes the data of steps with a lumped mass, for all lengths.
  void
  lump();

  std::unique_ptr<System>
  make_system(double step);

  bool
  is_strang() const
  {
    return options.scheme == SplittingScheme::strang;
  }

  void
  react(Vector &potential, const double *stimulus, double step);

  /// Solves for the potential after a step.
  tessera::CGResult
  solve(System &system, Vector &potential);

  /// Adds the seconds since the last call to a part of the steps. On a device
  /// only some steps are timed, because the parts have to be waited for.
  void
  lap(double &part);

  tessera::SolverCase &this_case;
  const tessera::Problem<double> problem;
  const tessera::Coefficient D;
  const SplittingOptions options;
  tessera::Membrane<double> membrane;
  /// K and the diagonal of a lumped M, or of M^-1 if stages divide by it.
  std::unique_ptr<tessera::LinearSystem<double>> stiffness;
  Vector diagonal;
  std::unique_ptr<tessera::DiffusionStages<double>> stages;
  std::unique_ptr<tessera::Operator<double>> mass; ///< of solves
  /// Maps the length of steps to their system. The length is rounded to units
  /// of 10^-9 of the first step, so that a matrix does not depend on the steps
  /// before.
  std::map<long long, std::unique_ptr<System>> systems;
  double first_step   = 0;
  long long last_step = 0;     ///< in these units
  Vector b, before, increment; ///< of solves
  const tessera::VectorOperations<double> operations;
  /// Seconds of the parts of the steps that were timed.
  struct
  {
    double reaction = 0, product = 0, solve = 0;
  } spent;
  std::int64_t n_steps = 0, n_timed = 0;
  bool is_timed = false;
  tessera::program::Timer timer;
};
