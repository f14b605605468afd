#pragma once

#include <tessera/fem/driver/linear_solver.h>

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tessera
{
  /// Throws ParameterError if `LinearSystem::store_matrix` cannot write a
  /// matrix file or the files beside it, in all processes.
  void
  check_can_store_rows(const std::string &matrix_file,
                       const Division &division);

  /// The solution of a case, and how the linear solver ended.
  struct Solution
  {
    std::vector<double> values; ///< by deal.II's index, [n_dofs]
    CGResult result;
    /// One sentence if another part than the linear solver failed to
    /// converge.
    std::string failure = {};
  };

  /// The linear system A x = b of a case. Its work is timed and recorded in
  /// `this_case.entry`.
  template <class Number>
  class LinearSystem
  {
  public:
    /// A form, or one on cells whose fields the caller changes later.
    using AnyForm = std::variant<Form, std::shared_ptr<const FormData<Number>>>;

    /// Makes the operator that the parameters name. `this_case` must outlive
    /// this object. If `this_case.makes_float`, the operators in float of mixed
    /// precision are made from the form; otherwise rows are rounded.
    LinearSystem(SolverCase &this_case, const Problem<Number> &problem,
                 AnyForm form);

    /// Turns loads (`Problem::loads`) into the right-hand side for the boundary
    /// values of the case: by `Problem::lift` if a value is not zero. If the
    /// space counts constrained degrees of freedom as free, their rows and
    /// columns are set to zero except for the diagonal, and their values are
    /// moved to b. The fields of the form must not change.
    void
    lift(Vector<Number> &b);

    /// Solves the system from `this_case.start`, and returns x with the
    /// constrained values. Stores the matrix before, if requested. b is
    /// overwritten. Throws ParameterError if b is not finite.
    Solution
    solve(Vector<Number> &b);

    /// Stores the matrix of the free entries in `this_case.matrix_file`, if
    /// there is one, which `solve` does too: the rows that the first process
    /// owns, in the order of its space, then the rows of the second one and so
    /// on. Beside the file, `<file>.rows.csv` describes each row: the number of
    /// the row, from 1 on, its component and the position of its node by
    /// `node_positions`. `<file>.rhs.mtx`, a Matrix Market array, has the
    /// right-hand side b in the same order. All files are replaced, or none.
    /// All processes have to call it, and none has more than its rows. Throws
    /// ParameterError for more rows than a file can have, and what
    /// `tessera::store_matrix` throws.
    void
    store_matrix(const Vector<Number> &b) const;

    /// Returns A for code that solves with it itself, such as time steps.
    const Operator<Number> &
    matrix() const
    {
      return *A;
    }

    /// Gives A the values of the form whose fields have changed.
    void
    update()
    {
      A->update(std::get<std::shared_ptr<const FormData<Number>>>(form));
    }

    /// Makes the preconditioner that was chosen. This object must outlive it.
    std::unique_ptr<Preconditioner<Number>>
    make_preconditioner() const
    {
      return make_preconditioner(*A);
    }

  private:
    /// Records the seconds since the last call, or since A exists, for a step
    /// of the set-up.
    void
    note_step(const std::string &name) const;

    std::unique_ptr<Operator<Number>>
    make_operator(const std::string &name,
                  const AssemblyOptions &options) const;

    /// Calls f with the rows of A. An operator that does not store rows is
    /// assembled for this.
    void
    with_rows(const std::function<void(const RowMatrix<Number> &)> &f) const;

    template <class T>
    std::unique_ptr<Preconditioner<T>>
    make_preconditioner(const Operator<T> &of) const;

    std::unique_ptr<Operator<float>>
    make_inner_operator() const;

    /// Calls `ready` when everything is set up.
    CGResult
    run_solver(Vector<Number> &x, const Vector<Number> &b,
               const CGControl &control, const std::function<void()> &ready);

    /// Solves by mixed precision; if `continues`, it starts from x.
    CGResult
    solve_mixed(Vector<Number> &x, const Vector<Number> &b,
                const CGControl &control, bool continues,
                const std::function<void()> &ready);

    /// Solves by conjugate gradients, from x or, if `continues` is false, from
    /// `this_case.start` on. Calls `ready` when they are set up.
    CGResult
    solve_with(const Preconditioner<Number> &M, Vector<Number> &x,
               const Vector<Number> &b, const CGControl &control,
               bool continues, const std::function<void()> &ready);

    /// Solves with the chosen preconditioner. If it is too slow, the next one
    /// continues from there.
    CGResult
    solve_in_turn(Vector<Number> &x, const Vector<Number> &b,
                  const CGControl &control, const std::function<void()> &ready);

    SolverCase &this_case;
    const Problem<Number> problem;
    const AnyForm form;
    std::unique_ptr<Operator<Number>> A;
    mutable program::Timer step; ///< of the set-up
  };
} // namespace tessera
