#pragma once

#include <tessera/base/communicator.h>
#include <tessera/operators/operator.h>
#include <tessera/preconditioners/preconditioner.h>

#include <functional>

namespace tessera
{
  struct CGControl
  {
    double relative_tolerance = 1e-10; ///< of the norm of the right-hand side
    double absolute_tolerance = 0;     ///< the larger of the two counts
    int max_iterations        = 10000;
    int check_every           = 16; ///< iterations between looks by the host
    /// Called at every look with the iteration and the residual norm; a return
    /// of false ends the solve (an interrupt).
    std::function<bool(int, double)> progress;
  };

  struct CGResult
  {
    bool converged          = false;
    bool interrupted        = false;
    int iterations          = 0;
    double initial_residual = 0; ///< |b - A x_0|
    double residual         = 0; ///< |b - A x| as the recurrence has it
  };

  /// The preconditioned conjugate gradient method for a symmetric positive
  /// definite operator. Scalars stay in backend memory; the host reads the
  /// residual every `check_every` iterations, and iterations after convergence
  /// change nothing, so the reported count and solution do not depend on that
  /// interval.
  template <class Number>
  class CG
  {
  public:
    CG(const Operator<Number> &A, const Preconditioner<Number> &preconditioner,
       const Communicator<Number> &communicator = {});

    /// Solves A x = b from the given x. Never throws for a solve that ends
    /// without convergence: see the result (a residual that is not a number
    /// ends it at the next look).
    CGResult solve(Vector<Number> &x, const Vector<Number> &b,
                   const CGControl &control, Stream stream = {});

    /// The steps of `solve`, for graphs: `start` computes the residual and
    /// sets the scalars, `iterate` enqueues one iteration. No host
    /// synchronisation, no allocation.
    void start(Vector<Number> &x, const Vector<Number> &b, const CGControl &,
               Stream);

    void iterate(Vector<Number> &x, Stream stream);

    /// Reads the state of the recurrence; synchronises.
    CGResult state(Stream stream) const;

  private:
    const Operator<Number> &A;
    const Preconditioner<Number> &preconditioner;
    const Communicator<Number> communicator;
  };
} // namespace tessera
