#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/base/vector_operations.h>
#include <tessera/fem/driver/linear_solver.h>
#include <tessera/fem/input/choices.h>
#include <tessera/fem/input/patterns.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>

#include <algorithm>

namespace tessera
{
  namespace
  {
    std::string
    read_preconditioner(const Parameters &parameters)
    {
      const std::string entry = "Solver/Preconditioner";
      const std::string name  = parameters.get(entry);
      const bool mixed = parameters.get("Solver/Mixed precision") != "none" &&
                         parameters.get("Solver/Inner operator") != "same";
      const std::string of = mixed ? "Solver/Inner operator" : "Operator/Name";
      const std::string op = parameters.get(of);
      const auto legal     = operators_of_preconditioner(name);
      if (std::count(legal.begin(), legal.end(), op) == 0)
        throw ParameterError("'" + entry + "' is " + name +
                             ", which needs the entries of a matrix, but '" +
                             of + "' is " + op + "; legal with it " +
                             (legal.size() == 1 ? "is " : "are ") +
                             list_of(legal) + '.');
      return name;
    }

    std::vector<std::string>
    inner_operators()
    {
      auto names = operator_names();
      names.insert(names.begin(), "same");
      return names;
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
                       option_value({"", "", "", operator_choices()},
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
                           option_value(option),
                           "for " + owners_of(*set) + ": " + option.sentence);
    parameters.declare("Solver/Preconditioner", "jacobi",
                       selection("preconditioner"),
                       "M of conjugate gradients; see --list");
    parameters.declare("Solver/Relaxation", "1", Patterns::Double(0., 2.),
                       "for ssor; 0 and 2 are not legal themselves");
    parameters.declare("Solver/Polynomial degree", "4",
                       Patterns::Integer(0, 100),
                       "for neumann, least_squares and chebyshev: the products "
                       "that an application takes");
    parameters.declare("Solver/Eigenvalue steps", "16",
                       Patterns::Integer(1, 1000),
                       "of Lanczos's method, which estimates the spectrum for "
                       "neumann, least_squares and chebyshev");
    parameters.declare("Solver/Block rows", "0", Patterns::Integer(0, 32),
                       "for block_jacobi: rows of a block; 0: those of a node");
    MultigridSetup::declare(parameters);
    parameters.declare(
      "Solver/Mixed precision", "none",
      Patterns::Selection("none|preconditioner|defect_correction"),
      "preconditioner: M in float for a solve in double; "
      "defect_correction: solves in float for residuals in "
      "double");
    parameters.declare("Solver/Inner operator", "same",
                       option_value({"", "", "", inner_operators()},
                                    "same or an operator of --list"),
                       "A in float of mixed precision; same: as Operator/Name "
                       "says");
    parameters.declare(
      "Solver/Method", "auto",
      Patterns::Selection("auto|" + choices("method").selection()),
      "how conjugate gradients are computed; see --list; "
      "auto: classical on the host, the fastest on a device");
    parameters.declare("Solver/Stopping norm", "scaled_residual",
                       selection("stopping norm"),
                       "what is compared with the tolerances; see --list; the "
                       "scaled norms do not depend on units, penalties and "
                       "contrasts of coefficients");
    parameters.declare("Solver/Relative tolerance", "1e-10",
                       Patterns::Double(0., 1.),
                       "of the norm of the right-hand side");
    parameters.declare("Solver/Absolute tolerance", "0", Patterns::Double(0.),
                       "of the norm of b - A x; the larger one of both "
                       "tolerances decides");
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
    preconditioner_options.degree =
      parameters.get_integer("Solver/Polynomial degree");
    preconditioner_options.eigenvalue_steps =
      parameters.get_integer("Solver/Eigenvalue steps");
    preconditioner_options.block_rows =
      parameters.get_integer("Solver/Block rows");
    mixed = parameters.get("Solver/Mixed precision");
    inner = parameters.get("Solver/Inner operator");
    if (mixed != "none" && number != "double")
      throw ParameterError("'Solver/Mixed precision' is " + mixed +
                           ", which is for 'Operator/Number' = double.");
    if (mixed == "none" && inner != "same")
      throw ParameterError("'Solver/Inner operator' is " + inner +
                           ", but 'Solver/Mixed precision' is none.");
    if (parameters.get("Solver/Method") != "auto")
      method = cg_method_from_string(parameters.get("Solver/Method"));
    control.norm =
      stopping_norm_from_string(parameters.get("Solver/Stopping norm"));
    control.relative_tolerance =
      parameters.get_double("Solver/Relative tolerance");
    control.absolute_tolerance =
      parameters.get_double("Solver/Absolute tolerance");
    control.max_iterations =
      parameters.get_integer("Solver/Maximal iterations");
  }


  void
  LinearSolver::check_divided() const
  {
    const auto refuse = [](const std::string &entry, const std::string &value,
                           const std::string &legal) {
      throw ParameterError("'" + entry + "' = " + value +
                           " is for one process; legal for several is " +
                           legal + '.');
    };
    if (preconditioner == "multigrid")
      refuse("Solver/Preconditioner", preconditioner,
             "none, jacobi, block_jacobi, ssor or a polynomial (neumann, "
             "least_squares, chebyshev)");
    if (preconditioner == "block_jacobi" &&
        preconditioner_options.block_rows != 0)
      refuse("Solver/Block rows",
             std::to_string(preconditioner_options.block_rows),
             "0, which are those of a node");
    const std::string name = mixed == "none" ? operator_name : inner_name();
    if (preconditioner == "ssor" && !stores_rows(name))
      refuse(mixed == "none" || inner == "same" ? "Operator/Name"
                                                : "Solver/Inner operator",
             name + " with the preconditioner ssor",
             "an operator that stores rows");
    if (method == CGMethod::persistent)
      refuse("Solver/Method", to_string(*method),
             "classical or single_reduction");
  }


  void
  LinearSolver::check(const Backend backend) const
  {
    check_options(operator_name, backend, assembly);
    if (inner != "same")
      check_options(inner, backend, inner_assembly());
    if (method.value_or(CGMethod::classical) == CGMethod::classical)
      return;
    const std::string entry = "'Solver/Method' is " + to_string(*method);
    if (!is_diagonal(preconditioner) || mixed == "preconditioner")
      throw ParameterError(entry +
                           ", which needs a diagonal preconditioner in "
                           "the number type of the solve; legal with "
                           "others is classical.");
    const bool corrects    = mixed == "defect_correction" && inner != "same";
    const std::string name = corrects ? inner : operator_name;
    if (method == CGMethod::persistent &&
        (backend == Backend::host || !stores_rows(name)))
      throw ParameterError(entry +
                           ", which is for operators of rows on a "
                           "device, and " +
                           name + " on the " + to_string(backend) +
                           " is none.");
  }


  void
  LinearSolver::check_inner_operator(const bool makes_float,
                                     const bool changes_rows) const
  {
    const std::string name = inner_name();
    if (name.empty() || (makes_float && !changes_rows) || stores_rows(name))
      return;
    throw ParameterError(
      std::string(changes_rows ? "The rows are changed after the assembly"
                               : "The form has no kernels in float") +
      ", so that 'Solver/Mixed precision' needs a 'Solver/Inner operator' that "
      "stores rows, which " +
      name + " does not.");
  }


  void
  LinearSolver::check_adaptive(const bool makes_float,
                               const bool eliminates) const
  {
    const auto refuse = [](const std::string &entry, const std::string &value,
                           const std::string &legal) {
      throw ParameterError("'" + entry + "' = " + value +
                           " is for meshes without hanging nodes; legal with "
                           "'Mesh/Refinement' = adaptive is " +
                           legal + '.');
    };
    if (eliminates)
      refuse("Boundary conditions/Elimination", "after", "before");
    if (mixed != "none" && !makes_float)
      refuse("Solver/Mixed precision", mixed,
             "none, since the form has no kernels in float and rows of hanging "
             "nodes are not rounded");
    if (preconditioner == "ssor")
      refuse("Solver/Preconditioner", preconditioner, "another one");
    if (method == CGMethod::persistent)
      refuse("Solver/Method", to_string(*method),
             "classical or single_reduction");
  }


  std::string
  LinearSolver::advice() const
  {
    if (mixed != "preconditioner" || !is_diagonal(preconditioner))
      return "";
    return "'Solver/Preconditioner' is " + preconditioner +
           ", which is diagonal and gains nothing from 'Solver/Mixed "
           "precision' = preconditioner: the conversions cost more than an "
           "inverse in double.";
  }


  AssemblyOptions
  LinearSolver::inner_assembly() const
  {
    if (inner == "same")
      return assembly;
    AssemblyOptions options;
    options.strategy = assembly.strategy;
    if (!stores_rows(inner))
      options.conflict = assembly.conflict;
    return options;
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
} // namespace tessera
