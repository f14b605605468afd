#pragma once

#include <tessera/base/runtime.h>
#include <tessera/operators/operator.h>
#include <tessera/preconditioners/preconditioner.h>
#include <tessera/solvers/cg_method.h>
#include <tessera/solvers/solve_result.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  struct CGControl
  {
    double relative_tolerance = 1e-10; ///< see `norm`
    /// Of |b - A x|; the larger tolerance decides.
    double absolute_tolerance = 0;
    int max_iterations        = 10000;
    /// Residuals are relative to |b|, preconditioned ones to the residual of
    /// the initial x. The scaled norms require both |r| <= t |b| and |D^-1
    /// r| <= t |D^-1 b|, where D is the diagonal of A. If D and b have one
    /// large entry, as with a penalty, |r| / |b| says nothing about the
    /// other rows; one large entry of D^-1 b does the same to the second
    /// quotient, which is in the unit of x. If the diagonal is constant,
    /// both are the same.
    StoppingNorm norm = StoppingNorm::scaled_residual;
    /// The number of iterations after which the host looks at the residual.
    /// It looks after each one if the host itself iterates, and after an eighth
    /// of them at the start and near the end if M is not diagonal, because
    /// iterations after convergence are wasted.
    int check_every = 16;
    /// If true, the true residual of a converged solution is computed, which
    /// takes a product. If false, it is NaN in the result. The norms
    /// `true_residual` and `true_scaled_residual` always compute it.
    bool verify = true;
    /// If true, `solve` replays iterations as a graph on the device, if the
    /// communication between parts can be recorded. Set it to false for an
    /// operator or a preconditioner that synchronises.
    bool graph = true;
    /// Called at every look with the iteration and the residual norm. If it
    /// returns false, the solve ends (an interrupt).
    std::function<bool(int, double)> progress;
  };

  /// Returns the tolerances for a solve A x = b from an x that may be almost
  /// the solution, such as x of the previous time step. A preconditioned
  /// residual relative to such an x may never be reached; it becomes relative
  /// to sqrt(b . M^-1 b) as in a solve from x = 0. Other norms are relative to
  /// |b| in any case. The parts of a divided problem call this function
  /// together. Synchronises.
  template <class Number>
  CGControl
  relative_to_right_hand_side(CGControl control, const Operator<Number> &A,
                              const Preconditioner<Number> &preconditioner,
                              const Vector<Number> &b);

  struct CGState;

  /// The preconditioned conjugate gradient method for a symmetric positive
  /// definite operator.
  ///
  /// Scalars stay in backend memory. They are double for all number types, so
  /// that a solve in float converges as far as its vectors allow. The host
  /// reads the residual every `check_every` iterations. Iterations after the
  /// end change nothing, so the reported count and the solution do not depend
  /// on this interval. Results are bitwise repeatable if operator and
  /// preconditioner are.
  template <class Number>
  class CG
  {
  public:
    /// `A` and `preconditioner` must outlive this object. The parts of A solve
    /// together. `method` is the name of a CG method (cg_method.h). Throws
    /// ParameterError if the method needs a diagonal preconditioner, an
    /// operator of rows on a device or an undivided problem, and this is not
    /// the case, and if A belongs to a form that is not symmetric.
    CG(const Operator<Number> &A, const Preconditioner<Number> &preconditioner,
       const std::string &method = "classical");
    ~CG();
    CG(const CG &) = delete;
    CG &
    operator=(const CG &) = delete;

    /// Solves A x = b. The given x is the initial guess, and its tail must be
    /// zero. A solve that ends without convergence never throws: the result
    /// tells how it ended, and x is the best iterate.
    ///
    /// If the norm is `true_residual` or `true_scaled_residual`, the recurrence
    /// goes on until it has converged; then the residual is computed anew. If
    /// it exceeds the tolerance, it replaces the residual of the recurrence,
    /// and the solve continues from x. It stagnates when two such residuals in
    /// turn differ by less than a half. With `scaled_residual` the same happens
    /// if |D^-1 r|, computed anew, exceeds a hundred times its tolerance and
    /// the rounding errors of the number type, unless `verify` is false.
    CGResult
    solve(Vector<Number> &x, const Vector<Number> &b,
          const CGControl &control = {}, Stream stream = {});

    /// Computes the initial residual and sets the scalars. Together with
    /// `iterate` and `finish` it does the work of `solve` without host
    /// synchronisation and without allocation, so that they may be captured in
    /// a graph.
    void
    start(Vector<Number> &x, const Vector<Number> &b, const CGControl &control,
          Stream stream);

    void
    iterate(Vector<Number> &x, Stream stream);

    /// Brings x up to date; some methods update x late.
    void
    finish(Vector<Number> &x, Stream stream);

    /// Runs `n` iterations. On the device they are recorded as a graph at the
    /// first call with this n and x, and replayed at later calls; for a small
    /// problem, launching kernels one by one takes longer than their work.
    /// Throws DeviceError if what the operator launches cannot be recorded.
    void
    replay_iterations(Vector<Number> &x, int n, Stream stream);

    /// Reads the state of the recurrence. Synchronises. While
    /// `single_reduction` runs, residuals are one iteration old.
    CGResult
    state(Stream stream) const;

    /// Returns the bytes that an iteration's vectors move, without the bytes of
    /// the operator and of a preconditioner that is not diagonal.
    std::uint64_t
    vector_bytes() const;

  private:
    CGState
    read_state(Stream stream) const;

    /// Appends the new entries of the state to the history.
    void
    read_history(CGResult &result, bool ended, Stream stream) const;

    const Operator<Number> &A;
    const Preconditioner<Number> &preconditioner;
    bool can_be_recorded;
    std::unique_ptr<CGRecurrence<Number>> recurrence;
    Vector<Number> best; ///< the best x of the verified ones

    std::map<int, std::unique_ptr<const runtime::Graph>> graphs; ///< by n
    const Number *graph_x = nullptr; ///< x of the recorded graphs
    int graph_revision    = 0;       ///< of A
  };
} // namespace tessera
