#pragma once

#include <tessera/base/communicator.h>
#include <tessera/base/runtime.h>
#include <tessera/operators/operator.h>
#include <tessera/preconditioners/preconditioner.h>

#include <functional>
#include <memory>

namespace tessera
{
  struct CGControl
  {
    double relative_tolerance = 1e-10; ///< of the norm of the right-hand side
    double absolute_tolerance = 0;     ///< the larger of the two counts
    int max_iterations        = 10000;
    int check_every           = 16; ///< iterations between looks by the host
    /// Whether `solve` replays iterations as a graph on the device where there
    /// is one part: false for an operator or a preconditioner that
    /// synchronises.
    bool graph = true;
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

  /// Where the recurrence stands, in backend memory.
  template <class Number>
  struct CGState
  {
    enum class Status : int
    {
      running,
      converged,
      exhausted, ///< max_iterations are done
      broken     ///< p.Ap or r.z not positive, or not a number
    };

    Status status;
    int iterations;
    int max_iterations;
    Number r_dot_z;
    Number r_dot_r;
    Number initial_r_dot_r;
    double tolerance_squared;
  };

  template <class Number>
  struct CGData;

  /// The preconditioned conjugate gradient method for a symmetric positive
  /// definite operator. Scalars stay in backend memory; the host reads the
  /// residual every `check_every` iterations, and iterations after the end
  /// change nothing, so the reported count and solution do not depend on that
  /// interval. Repeatable bit by bit where operator and preconditioner are.
  ///
  /// The part of an iteration that is not the operator's moves 10 numbers a
  /// degree of freedom with a diagonal preconditioner: r, q and M^-1 read, r
  /// written; then x, r, M^-1 and p read, x and p written.
  template <class Number>
  class CG
  {
  public:
    /// `A` and `preconditioner` must live longer than this object; without a
    /// communicator there is one part.
    CG(const Operator<Number> &A, const Preconditioner<Number> &preconditioner,
       std::shared_ptr<const Communicator<Number>> communicator = {});
    CG(const CG &) = delete;
    CG &
    operator=(const CG &) = delete;

    /// Solves A x = b from the given x, whose tail is zero. Never throws for a
    /// solve that ends without convergence: see the result (a residual that is
    /// not a number, or an operator that is not positive, ends it).
    CGResult
    solve(Vector<Number> &x, const Vector<Number> &b, const CGControl &control,
          Stream stream = {});

    /// The steps of `solve`, for graphs: `start` computes the residual and
    /// sets the scalars, `iterate` enqueues one iteration. No host
    /// synchronisation, no allocation.
    void
    start(Vector<Number> &x, const Vector<Number> &b, const CGControl &control,
          Stream stream);

    void
    iterate(Vector<Number> &x, Stream stream);

    /// `n` iterations; on the device a graph that is recorded at the first call
    /// with these x and n (DeviceError where what the operator issues cannot
    /// be recorded) and replayed: to launch the kernels of a small problem one
    /// by one takes longer than their work.
    void
    replay_iterations(Vector<Number> &x, int n, Stream stream);

    /// Reads the state of the recurrence; synchronises.
    CGResult
    state(Stream stream) const;

  private:
    CGState<Number>
    read_state(Stream stream) const;

    void
    iterate(Number *x, Stream stream);

    /// What kernels need; `b` only at the start.
    CGData<Number>
    data(Number *x, const Number *b);

    /// After r has changed: z and r.z where M is not diagonal, then the sums
    /// over all parts.
    void
    precondition_and_sum(const CGData<Number> &data, int n_sums, Stream stream);

    const Operator<Number> &A;
    const Preconditioner<Number> &preconditioner;
    bool one_part;
    std::shared_ptr<const Communicator<Number>> communicator;

    int n_blocks;
    Vector<Number> r, p, q, z; ///< z: only where M is not diagonal
    Array<CGState<Number>> recurrence;
    Array<Number> sums;
    Array<Number> partial;
    Array<unsigned int> counters;

    std::unique_ptr<const runtime::Graph> graph;
    const Number *graph_x = nullptr; ///< what the graph was recorded for
    int graph_n           = 0;
  };
} // namespace tessera
