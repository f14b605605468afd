#pragma once

#include <tessera/base/vector_operations.h>
#include <tessera/cell_models/membrane.h>
#include <tessera/dealii/checkpoint.h>
#include <tessera/dealii/linear_solver.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/coefficient.h>

#include <map>
#include <memory>

/// How operator splitting goes through a step from t to t + dt.
enum class SplittingScheme
{
  godunov, ///< reaction, then backward Euler for diffusion: first order
  strang   ///< half a reaction, Crank-Nicolson, half a reaction: second order
};

/// Seconds of the parts of all steps so far.
struct SplittingSeconds
{
  double reaction = 0, product = 0, solve = 0;
};

/// Steps of operator splitting for dV/dt = div(D grad V) + f(V, r),
/// dr/dt = g(V, r), all in the memory of the backend. With theta = 1
/// (godunov) or 1/2 (strang), a diffusion step solves
///   (M + theta dt K) V_theta = M V,   V <- V + (V_theta - V) / theta,
/// by conjugate gradients from V on; matrix and preconditioner are kept for
/// every length of steps. Reactions are of the order of the scheme
/// (Membrane::advance).
class Splitting
{
public:
  using Vector = tessera::Vector<double>;

  /// `problem` says how systems are solved, and gets the times of the assembly;
  /// it must outlive this object. D is the diffusion tensor.
  Splitting(tessera::DiscreteProblem &problem,
            std::shared_ptr<const tessera::CellData<double>> cells,
            const tessera::Coefficient &D, SplittingScheme scheme,
            int reaction_steps);
  ~Splitting();

  /// Makes the matrix for steps of that length.
  void
  prepare(double step);

  /// Takes a step with a stimulus, [n_nodes] or null. Returns how the linear
  /// solve ended; if it did not converge, the step is in vain.
  tessera::CGResult
  advance(Vector &potential, tessera::Membrane<double> &membrane,
          const double *stimulus, double step);

  /// Adds what the next step needs to the state of a computation.
  void
  save(tessera::State &state) const;

  /// Goes on from a state. Throws ParameterError if it does not fit.
  void
  restore(const tessera::State &state);

  const SplittingSeconds &
  seconds() const
  {
    return spent;
  }

  /// Merges what a record shows of operator, preconditioner and method into the
  /// parameters of the problem.
  void
  describe() const;

private:
  struct System;

  System &
  system_of(double step);

  void
  react(Vector &potential, tessera::Membrane<double> &membrane,
        const double *stimulus, double step);

  tessera::DiscreteProblem &problem;
  const std::shared_ptr<const tessera::CellData<double>> cells;
  const tessera::Coefficient D;
  const SplittingScheme scheme;
  const int reaction_steps;
  std::unique_ptr<tessera::Operator<double>> mass;
  /// By the length of steps in units of 10^-9 of the first one, to which it is
  /// rounded, so that a matrix does not depend on the steps before.
  std::map<long long, std::unique_ptr<System>> systems;
  double first_step = 0;
  Vector b, before, increment;
  const tessera::VectorOperations<double> operations;
  SplittingSeconds spent;
};
