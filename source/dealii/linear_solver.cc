#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/base/vector_operations.h>
#include <tessera/dealii/choices.h>
#include <tessera/dealii/linear_solver.h>
#include <tessera/dealii/patterns.h>
#include <tessera/dealii/transfer.h>
#include <tessera/matrices/store_matrix.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/elimination.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>
#include <tessera/preconditioners/ssor.h>
#include <tessera/study/kernel_counters.h>
#include <tessera/study/program.h>
#include <tessera/study/table.h>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace tessera
{
  namespace
  {
    std::string
    read_preconditioner(const Parameters &parameters)
    {
      const std::string entry = "Solver/Preconditioner";
      const std::string name  = parameters.get(entry);
      const std::string op    = parameters.get("Operator/Name");
      const auto legal        = operators_of_preconditioner(name);
      if (std::count(legal.begin(), legal.end(), op) == 0)
        throw ParameterError("'" + entry + "' is " + name +
                             ", which needs the entries of a matrix, but "
                             "'Operator/Name' is " +
                             op + "; legal with it " +
                             (legal.size() == 1 ? "is " : "are ") +
                             list_of(legal) + '.');
      return name;
    }

    /// True if the value of an entry is given.
    bool
    is_given(const FlatProblem &flat, const Space &space, const int entry)
    {
      const int n = space.n_components;
      return flat.connectivity
               .constrained[std::size_t(space.mesh_dof[entry / n]) * n +
                            entry % n] != 0;
    }

    /// [n_owned n_components]: 1 for rows to eliminate.
    Array<unsigned char>
    constrained_rows(const FlatProblem &flat, const Space &space,
                     const Backend backend)
    {
      std::vector<unsigned char> rows(space.n_owned * space.n_components);
      for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = is_given(flat, space, static_cast<int>(i));
      return Array<unsigned char>(backend, rows);
    }
  } // namespace


  void
  LinearSolver::declare(Parameters &parameters)
  {
    namespace Patterns   = dealii::Patterns;
    const auto selection = [](const std::string &kind) {
      return Patterns::Selection(choices(kind).selection());
    };
    parameters.declare("Operator/Name", "matrix_free",
                       OptionValue({"", "", "", operator_choices()},
                                   "an operator of --list, or auto"),
                       "how A x is computed; see --list; auto: " +
                         descriptor(auto_operator).sentence);
    parameters.declare("Operator/Number", "double",
                       Patterns::Selection("double|float"),
                       "number type of vectors and operators");
    parameters.declare("Operator/Strategy", "local_reuse",
                       selection("strategy"),
                       "how entries of cell matrices are computed; see --list");
    parameters.declare(
      "Operator/Route", "default",
      Patterns::Selection("default|" + choices("route").selection()),
      "who writes the entries of assembled rows and load vectors; see --list; "
      "append belongs to operators whose rows are appended to, scatter and "
      "gather to other operators of rows; default: what suits operator, cells "
      "and backend, without gather where a conflict handling is set");
    parameters.declare(
      "Operator/Conflict", "default",
      Patterns::Selection("default|" + choices("conflict").selection()),
      "how threads that add to one entry are kept apart; see "
      "--list; default: what suits the backend");
    accept_gather_as_conflict(parameters, "Operator/Conflict",
                              "Operator/Route");
    for (const OptionSet *const set : option_sets())
      for (const OperatorOption &option : set->options)
        parameters.declare("Operator/" + option.name, option.default_value,
                           OptionValue(option),
                           "of " + owners_of(*set) + ": " + option.sentence);
    parameters.declare("Solver/Preconditioner", "jacobi",
                       selection("preconditioner"),
                       "M of conjugate gradients; see --list");
    parameters.declare("Solver/Relaxation", "1", Patterns::Double(0., 2.),
                       "of ssor; 0 and 2 are not legal themselves");
    MultigridSetup::declare(parameters);
    parameters.declare("Solver/Relative tolerance", "1e-10",
                       Patterns::Double(0., 1.),
                       "of the norm of the right-hand side");
    parameters.declare("Solver/Maximal iterations", "10000",
                       Patterns::Integer(1),
                       "of conjugate gradients; exit code 4 when reached");
  }


  LinearSolver::LinearSolver(const Parameters &parameters)
    : operator_name(parameters.get("Operator/Name")),
      number(parameters.get("Operator/Number")),
      preconditioner(read_preconditioner(parameters)), multigrid(parameters)
  {
    const auto get = [&](const std::string &name) {
      return parameters.get("Operator/" + name);
    };
    assembly.strategy = strategy_from_string(get("Strategy"));
    if (get("Route") != "default")
      assembly.route = route_from_string(get("Route"));
    if (get("Conflict") != "default")
      assembly.conflict = conflict_from_string(get("Conflict"));
    for (const OptionSet *const set : option_sets())
      for (const OperatorOption &option : set->options)
        if (const auto value = option.value({{option.name, get(option.name)}});
            value != option.default_value)
          assembly.storage[option.name] = value;

    const std::string entry           = "Solver/Relaxation";
    preconditioner_options.relaxation = parameters.get_double(entry);
    if (!(preconditioner_options.relaxation > 0 &&
          preconditioner_options.relaxation < 2))
      throw ParameterError("'" + entry + "' is " + parameters.get(entry) +
                           "; legal are numbers between 0 and 2, without "
                           "these.");
    control.relative_tolerance =
      parameters.get_double("Solver/Relative tolerance");
    control.max_iterations =
      parameters.get_integer("Solver/Maximal iterations");
  }


  void
  LinearSolver::check(const Backend backend) const
  {
    check_options(operator_name, backend, assembly);
  }


  void
  declare_elimination(Parameters &parameters)
  {
    parameters.declare("Boundary conditions/Elimination", "before",
                       dealii::Patterns::Selection("before|after"),
                       "when Dirichlet values are eliminated: before the "
                       "assembly, or by zeroed rows and columns after it, "
                       "which needs an operator of rows");
  }


  bool
  eliminates_after(const Parameters &parameters)
  {
    const std::string entry = "Boundary conditions/Elimination";
    const bool after        = parameters.get(entry) == "after";
    const std::string name  = parameters.get("Operator/Name");
    if (after && !stores_rows(name))
      throw ParameterError("'" + entry +
                           "' is after, which changes the rows of a matrix, "
                           "but 'Operator/Name' is " +
                           name + "; legal with it is " +
                           list_of(row_operator_names()) + '.');
    return after;
  }


  template <class Number>
  LinearSystem<Number>::LinearSystem(DiscreteProblem &problem,
                                     MakeOperator make)
    : problem(problem), make_operator(std::move(make))
  {
    AssemblyTiming timing;
    FormatChoice choice;
    AssemblyOptions options = problem.solver.assembly;
    options.timing          = &timing;
    options.choice          = &choice;
    A                  = make_operator(problem.solver.operator_name, options);
    study::Case &entry = problem.entry;
    if (problem.solver.operator_name == auto_operator)
      {
        entry.problem.chosen               = A->name();
        entry.parameters["choice_seconds"] = choice.seconds;
        std::cerr << describe(choice) << std::endl;
      }
    if (const auto *of_rows =
          dynamic_cast<const RowOperator<Number> *>(A.get()))
      entry.problem.nonzeros = of_rows->matrix().n_nonzeros();
    entry.phases.pattern  = timing.pattern;
    entry.phases.assembly = timing.values;
    problem.timer.restart();
  }


  template <class Number>
  void
  LinearSystem<Number>::eliminate(Vector<Number> &b)
  {
    auto &of_rows      = dynamic_cast<RowOperator<Number> &>(*A);
    const Space &space = *problem.space;
    Vector<Number> g(problem.backend, b.n_owned(), b.n_tail());
    import_dofs(g, space, problem.flat.boundary_values, problem.flat.dofs);
    zero_rows_and_columns(
      of_rows.matrix(), constrained_rows(problem.flat, space, problem.backend),
      g, b);
    of_rows.values_changed();
  }


  template <class Number>
  void
  LinearSystem<Number>::with_rows(
    const std::function<void(const RowMatrix<Number> &)> &f) const
  {
    std::unique_ptr<Operator<Number>> assembled;
    const auto *of_rows = dynamic_cast<const RowOperator<Number> *>(A.get());
    if (of_rows == nullptr)
      {
        assembled = make_operator("csr", {});
        of_rows   = &dynamic_cast<const RowOperator<Number> &>(*assembled);
      }
    f(of_rows->matrix());
  }


  /// Stores the rows in the order of the space.
  template <class Number>
  void
  LinearSystem<Number>::store_matrix() const
  {
    with_rows([&](const RowMatrix<Number> &rows) {
      study::progress("matrix: " + problem.matrix_file, true);
      tessera::store_matrix(collect_rows(rows, A->n_owned()),
                            problem.matrix_file);
    });
  }


  template <class Number>
  std::unique_ptr<Preconditioner<Number>>
  LinearSystem<Number>::make_preconditioner() const
  {
    const LinearSolver &solver    = problem.solver;
    PreconditionerOptions options = solver.preconditioner_options;
    if (solver.preconditioner == "multigrid")
      with_rows([&](const RowMatrix<Number> &rows) {
        options.levels = std::make_shared<const MultigridLevels>(
          make_levels(matrix_of_owned(rows, *problem.space), *problem.space,
                      solver.multigrid.coarsening));
        options.multigrid = solver.multigrid.options;
      });
    return tessera::make_preconditioner<Number>(solver.preconditioner, *A,
                                                options);
  }


  template <class Number>
  Solution
  LinearSystem<Number>::solve(Vector<Number> &b)
  {
    study::Case &entry = problem.entry;
    // Then the squares in the solver neither overflow nor vanish, whatever the
    // units.
    const double size =
      VectorOperations<Number>(problem.backend, b.n_owned()).normalize(b);
    if (!std::isfinite(size))
      throw ParameterError(
        "The right-hand side overflows the number type of "
        "'Operator/Number'; choose other units or double.");
    const auto M = make_preconditioner();
    if (const auto *ssor = dynamic_cast<Ssor<Number> *>(M.get()))
      entry.problem.colors = ssor->n_colors();
    CG<Number> cg(*A, *M);
    Vector<Number> x(problem.backend, b.n_owned(), b.n_tail());
    entry.phases.setup = problem.timer.lap();
    if (!problem.matrix_file.empty())
      {
        store_matrix();
        problem.timer.restart();
      }

    CGControl watched = problem.solver.control;
    watched.progress  = [&entry](const int iteration, const double residual) {
      study::progress("degree " + std::to_string(entry.problem.degree) + ", " +
                         std::to_string(entry.problem.dofs) +
                         " DoFs: iteration " + std::to_string(iteration) +
                         ", residual " + study::format(residual),
                       false);
      return !study::interrupted();
    };
    Solution solution{problem.flat.boundary_values, cg.solve(x, b, watched)};
    solution.result.residual *= size;
    entry.phases.solve = problem.timer.lap();

    const Space &space               = *problem.space;
    const std::vector<Number> values = x.to_vector();
    for (int i = 0; i < space.n_owned * space.n_components; ++i)
      if (!is_given(problem.flat, space, i))
        solution.values[dof_of_entry(space, problem.flat.dofs, i)] =
          size * values[i];

    entry.parameters.merge(A->layout_parameters());
    entry.parameters.merge(A->product_parameters());
    entry.parameters.merge(M->parameters());
    if (problem.backend == Backend::cuda)
      entry.counters =
        study::kernel_counters([&]() { A->vmult(b, x); }, // b has served
                               "tessera product " + A->name());
    return solution;
  }


  template class LinearSystem<double>;
  template class LinearSystem<float>;
} // namespace tessera
