#pragma once

#include <tessera/fem/bridge/exception.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/distributed/division.h>
#include <tessera/operators/options.h>
#include <tessera/preconditioners/choice.h>
#include <tessera/program/parameters.h>
#include <tessera/program/record.h>
#include <tessera/program/timing.h>
#include <tessera/solvers/cg.h>
#include <tessera/solvers/problem.h>
#include <tessera/space/space.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// The part of a solve that is done in float; see `Solver/Mixed precision`.
enum class FloatPart
{
  none,
  preconditioner,
  defect_correction
};

/// Returns the name in parameter files.
std::string
to_string(FloatPart part);

namespace tessera
{
  /// The sections `Operator` and `Solver`: the computation of A x, and the
  /// preconditioned conjugate gradients that solve A x = b.
  struct LinearSolver
  {
    static void
    declare(Parameters &parameters);

    /// Throws ParameterError if the preconditioner needs another operator.
    explicit LinearSolver(const Parameters &parameters);

    /// Throws ParameterError if an option does not fit the operator on this
    /// backend.
    void
    check(Backend backend) const;

    /// Throws ParameterError if several processes cannot use a choice.
    void
    check_divided() const;

    /// Throws ParameterError if mixed precision has no operator in float: rows
    /// can be rounded, and others must be made in float. `makes_float` tells
    /// whether the application does so, and `changes_rows` whether rows are
    /// changed after the assembly.
    void
    check_inner_operator(bool makes_float, bool changes_rows) const;

    /// Throws ParameterError if a choice does not work on meshes with hanging
    /// nodes, which adaptive refinement makes. The arguments are the same as in
    /// `check_inner_operator`; there, an elimination changes rows.
    void
    check_adaptive(bool makes_float, bool eliminates) const;

    /// Returns a sentence if a choice has no effect or no benefit, otherwise
    /// nothing.
    std::string
    advice() const;

    /// Returns the preconditioner of a case, by the fields of the question that
    /// describe it. The reason names the options that are not used.
    PreconditionerChoice
    choose(PreconditionerQuestion of_case) const;

    /// Returns the options of the operator in float of mixed precision: the
    /// options of the section `Operator` if it is the same operator.
    AssemblyOptions
    inner_assembly() const;

    /// Returns the name of the operator in float of mixed precision; empty if
    /// there is none.
    std::string
    inner_name() const
    {
      return !is_mixed() ? "" : inner_is_same() ? operator_name : inner;
    }

    bool
    is_mixed() const
    {
      return mixed != FloatPart::none;
    }

    /// True unless mixed precision has an operator of another name.
    bool
    inner_is_same() const
    {
      return inner.empty();
    }

    /// Returns the name of the operator that the preconditioner reads.
    std::string
    preconditioned_name() const
    {
      return is_mixed() ? inner_name() : operator_name;
    }

    /// Returns f(Number()) for the number type of vectors and operators.
    template <class F>
    auto
    on_number(const F &f) const
    {
      return number == "float" ? f(float()) : f(double());
    }

    std::string operator_name, number;
    AssemblyOptions assembly;
    std::string preconditioner; ///< or auto: the best one (`choose`)
    /// Its options; for `auto`, the options of all preconditioners.
    OptionValues preconditioner_options;
    /// Says which options of other preconditioners were given.
    std::string unused_options;
    FloatPart mixed = FloatPart::none;
    std::string inner;  ///< operator in float of mixed precision; empty: same
    std::string method; ///< of conjugate gradients, or auto: the fastest
    CGControl control;
  };

  /// The entry `Boundary conditions/Elimination`, for applications that
  /// eliminate constrained degrees of freedom after the assembly, too.
  void
  declare_elimination(Parameters &parameters);

  /// Returns true if they are eliminated after the assembly. Throws
  /// ParameterError if the operator stores no rows.
  bool
  eliminates_after(const Parameters &parameters);

  /// A case of a study for the linear solver, in any dimension: its discrete
  /// problem, the way to solve it, and its record.
  struct DiscreteProblem
  {
    const LinearSolver &solver;
    Backend backend                    = Backend::host;
    FlatProblem flat                   = {};
    std::shared_ptr<const Space> space = {};
    std::string matrix_file = {}; ///< where the matrix is stored, if anywhere
    /// True if the application makes operators in float for mixed precision.
    bool makes_float   = false;
    bool eliminates    = false; ///< by `LinearSystem::lift`
    bool steps_in_time = false; ///< it is solved in each time step
    /// The choice of `choose_preconditioner`; empty before.
    PreconditionerChoice preconditioner = {};
    program::Case entry                 = {};
    program::Timer timer = {}; ///< restarted by every phase of the case
    /// The processes among which the case is divided. If there are several,
    /// `space` has the cells of this process, for which `local_cells` is 1,
    /// [n_cells], and `shared` describes the exchange of operators.
    Division division             = {};
    std::vector<char> local_cells = {};
    SharedNodes shared            = {};
    std::shared_ptr<const SharedDofs> dofs =
      std::make_shared<const SharedDofs>();
    /// The start of a solve, by deal.II's index, [n_dofs]; empty: 0.
    std::vector<double> start = {};
    /// The result of `device_cells`.
    mutable std::shared_ptr<const CellData<double>> cells_of = {};
    /// Sentences that explain why the solution is wrong.
    std::vector<std::string> missed = {};

    /// Chooses the preconditioner of the case, and reports in one line and in
    /// the record the choice of `auto` and its reason. `fits` tells whether one
    /// fits into the free memory. All processes have to call it.
    void
    choose_preconditioner(
      const std::function<bool(const std::string &)> &fits = {});

    /// Takes a preconditioner, and reports it if there is a reason.
    void
    take_preconditioner(PreconditionerChoice choice);

    /// Completes values by deal.II's index, [n_dofs]. Every process has the
    /// free values that it owns. Sets constrained values to `given`,
    /// interpolates hanging nodes from their parents, and fetches values that
    /// other processes own. `given` has the form of
    /// `FlatProblem::boundary_values`. All processes have to call it.
    void
    complete(std::vector<double> &values,
             const std::vector<double> &given) const;

    /// Returns the parts of the processes. All of them have to call it.
    template <class Number>
    Parts<Number>
    parts() const;

    /// Returns the discrete problem of this process in a number type, with the
    /// options of the parameters. `faces` belong to its cells. All processes
    /// have to call it.
    template <class Number>
    Problem<Number>
    problem(BoundaryFaces faces = {}) const;

    /// Returns the cells of `space` on the device of this process, which
    /// problems in double share; null on the host and in float.
    std::shared_ptr<const CellData<double>>
    device_cells() const;

    /// Returns true if it is true in one of the processes, which call this
    /// together.
    bool
    any(const bool local) const
    {
      return division.processes().any(local);
    }

    /// Returns the largest of the values of all processes, which call this
    /// together.
    double
    largest(const double local) const
    {
      return division.processes().largest(local);
    }

    /// Sets values by deal.II's index, [n_dofs], to the values of the processes
    /// that own them. All processes have to call it.
    void
    import(std::vector<double> &values) const
    {
      dofs->exchange.import(values);
    }

    /// Adds values by deal.II's index, [n_dofs], to the values of the processes
    /// that own them. All processes have to call it.
    void
    export_add(std::vector<double> &values) const
    {
      dofs->exchange.export_add(values);
    }

    /// True if this process owns the degree of freedom with deal.II's index.
    bool
    owns(const int dof) const
    {
      return dofs->are_owned(division, dof);
    }

    /// Adds to the record the division of the case among processes, if any. All
    /// processes have to call it.
    void
    describe_division()
    {
      division.describe(entry, *space, static_cast<double>(local_cells.size()));
    }

    /// True in the process that writes the files of all processes.
    bool
    writes() const
    {
      return division.writes();
    }

    /// Returns the method of conjugate gradients that the parameters name, or
    /// the fastest one.
    template <class Number>
    std::string
    method_for(const Operator<Number> &A, const Preconditioner<Number> &M) const
    {
      return solver.method == "auto" ? choose_cg_method(A, M) : solver.method;
    }

    /// Calls `work`, which evaluates the user's data on the cells of this
    /// process and calls no function of all processes. If it throws in one
    /// process, all processes throw (`Processes::collectively`), exceptions of
    /// deal.II as errors.
    void
    collectively(const std::function<void()> &work) const
    {
      division.processes().collectively(
        [&work]() { translate_exceptions(work); });
    }

    /// Returns the faces that belong to cells of this process.
    BoundaryFaces
    faces_here(BoundaryFaces faces) const
    {
      return division.n_processes() == 1 ? std::move(faces)
                                         : faces_of_cells(faces, local_cells);
    }
  };

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
  /// `problem.entry`.
  template <class Number>
  class LinearSystem
  {
  public:
    /// A form, or one on cells whose fields the caller changes later.
    using AnyForm = std::variant<Form, std::shared_ptr<const FormData<Number>>>;

    /// Makes the operator that the parameters name. `problem` must outlive this
    /// object. If `problem.makes_float`, the operators in float of mixed
    /// precision are made from the form; otherwise rows are rounded.
    LinearSystem(DiscreteProblem &problem, const Problem<Number> &discrete,
                 AnyForm form);

    /// Turns loads (`Problem::loads`) into the right-hand side for the boundary
    /// values of the case: by `Problem::lift` if a value is not zero. If the
    /// space counts constrained degrees of freedom as free, their rows and
    /// columns are set to zero except for the diagonal, and their values are
    /// moved to b. The fields of the form must not change.
    void
    lift(Vector<Number> &b);

    /// Solves the system from `problem.start`, and returns x with the
    /// constrained values. Stores the matrix before, if requested. b is
    /// overwritten. Throws ParameterError if b is not finite.
    Solution
    solve(Vector<Number> &b);

    /// Stores the matrix of the free entries in `problem.matrix_file`, if there
    /// is one, which `solve` does too: the rows that the first process owns, in
    /// the order of its space, then the rows of the second one and so on.
    /// Beside the file, `<file>.rows.csv` describes each row: the number of the
    /// row, from 1 on, its component and the position of its node by
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
    /// `problem.start` on. Calls `ready` when they are set up.
    CGResult
    solve_with(const Preconditioner<Number> &M, Vector<Number> &x,
               const Vector<Number> &b, const CGControl &control,
               bool continues, const std::function<void()> &ready);

    /// Solves with the chosen preconditioner. If it is too slow, the next one
    /// continues from there.
    CGResult
    solve_in_turn(Vector<Number> &x, const Vector<Number> &b,
                  const CGControl &control, const std::function<void()> &ready);

    DiscreteProblem &problem;
    const Problem<Number> discrete;
    const AnyForm form;
    std::unique_ptr<Operator<Number>> A;
  };
} // namespace tessera
