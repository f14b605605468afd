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
    double relative_tolerance = 1e-10; ///< relative to |b|
    double absolute_tolerance = 0;     ///< the larger tolerance decides
    int max_iterations        = 10000;
    /// Iterations between two checks by the host, which look at the residual.
    int check_every = 16;
    /// If true, `solve` replays iterations as a graph on the device, provided
    /// that there is only one part. Set it to false for an operator or a
    /// preconditioner that synchronises.
    bool graph = true;
    /// Called at every check with the iteration and the residual norm. If it
    /// returns false, the solve ends (an interrupt).
    std::function<bool(int, double)> progress;
  };

  struct CGResult
  {
    bool converged          = false;
    bool interrupted        = false;
    int iterations          = 0;
    double initial_residual = 0; ///< |b - A x_0|
    double residual         = 0; ///< |b - A x| according to the recurrence
  };

  /// The state of the recurrence, in backend memory.
  struct CGState
  {
    enum class Status : int
    {
      running,
      converged,
      exhausted, ///< max_iterations is reached
      broken     ///< p.Ap or r.z is not positive or not a number
    };

    Status status;
    int iterations;
    int max_iterations;
    double r_dot_z;
    double r_dot_r;
    double initial_r_dot_r;
    double tolerance_squared;
  };

  template <class Number>
  struct CGData;

  /// The preconditioned conjugate gradient method for a symmetric positive
  /// definite operator.
  ///
  /// Scalars stay in backend memory. They are double whatever the number type,
  /// so that a solve in float converges as far as its vectors allow; and the
  /// host reads the residual every `check_every` iterations. Iterations after
  /// the end change nothing, so that the reported count and the solution do not
  /// depend on this interval. Results are bitwise repeatable if operator and
  /// preconditioner are.
  ///
  /// With a diagonal preconditioner, an iteration moves 10 numbers per degree
  /// of freedom in addition to the operator: the first part reads r, q and M^-1
  /// and writes r; the second part reads x, r, M^-1 and p and writes x and p.
  template <class Number>
  class CG
  {
  public:
    /// `A` and `preconditioner` must outlive this object. Without a
    /// communicator there is only one part.
    CG(const Operator<Number> &A, const Preconditioner<Number> &preconditioner,
       std::shared_ptr<const Communicator> communicator = {});
    CG(const CG &) = delete;
    CG &
    operator=(const CG &) = delete;

    /// Solves A x = b. The given x is the initial guess, and its tail must be
    /// zero. A solve that ends without convergence never throws: the result
    /// tells whether it converged. A residual that is not a number, or an
    /// operator that is not positive, ends the solve.
    CGResult
    solve(Vector<Number> &x, const Vector<Number> &b, const CGControl &control,
          Stream stream = {});

    /// Computes the initial residual and sets the scalars. Together with
    /// `iterate` it does the work of `solve` without host synchronisation and
    /// without allocation, so that both may be captured in a graph.
    void
    start(Vector<Number> &x, const Vector<Number> &b, const CGControl &control,
          Stream stream);

    void
    iterate(Vector<Number> &x, Stream stream);

    /// Runs `n` iterations. On the device they are recorded as a graph at the
    /// first call with these x and n, and replayed at later calls; for a small
    /// problem, launching kernels one by one takes longer than their work.
    /// Throws DeviceError if what the operator launches cannot be recorded.
    void
    replay_iterations(Vector<Number> &x, int n, Stream stream);

    /// Reads the state of the recurrence. Synchronises.
    CGResult
    state(Stream stream) const;

  private:
    CGState
    read_state(Stream stream) const;

    void
    iterate(Number *x, Stream stream);

    /// Returns the arguments of the kernels. `b` is needed only at the start.
    CGData<Number>
    data(Number *x, const Number *b);

    template <class Work>
    void
    run(const Work &work, Stream stream);

    /// Must be called after r has changed. Computes z and r.z if M is not
    /// diagonal, and sums the scalars over all parts.
    void
    precondition_and_sum(const CGData<Number> &data, int n_sums, Stream stream);

    const Operator<Number> &A;
    const Preconditioner<Number> &preconditioner;
    bool one_part;
    std::shared_ptr<const Communicator> communicator;

    int n_blocks;
    Vector<Number> r, p, q, z; ///< z is used only if M is not diagonal
    Array<CGState> recurrence;
    Array<double> sums;
    Array<double> partial;
    Array<unsigned int> counters;

    std::unique_ptr<const runtime::Graph> graph;
    const Number *graph_x = nullptr; ///< x of the recorded graph
    int graph_n           = 0;
  };
} // namespace tessera
