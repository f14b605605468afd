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
#include <vector>

namespace tessera
{
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

  /// A case of a study as its linear solver sees it, in any dimension: the
  /// space, the processes, the way to solve and the record. It makes the
  /// discrete problem, a `Problem<Number>`.
  struct SolverCase
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
    /// [n_cells]; it knows `n_known` cells.
    Division division             = {};
    std::vector<char> local_cells = {};
    std::ptrdiff_t n_known        = 0;
    std::shared_ptr<const OtherParts> others =
      std::make_shared<const OtherParts>();
    std::shared_ptr<const SharedDofs> dofs =
      std::make_shared<const SharedDofs>();
    /// The start of a solve, by deal.II's index, [n_dofs]; empty: 0.
    std::vector<double> start = {};
    /// The result of `device_cells`.
    mutable std::shared_ptr<const CellData<double>> cached_cells = {};
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
      division.describe(entry, *space, static_cast<double>(n_known));
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
    own_faces(BoundaryFaces faces) const
    {
      return division.n_processes() == 1 ? std::move(faces)
                                         : faces_of_cells(faces, local_cells);
    }
  };
} // namespace tessera
