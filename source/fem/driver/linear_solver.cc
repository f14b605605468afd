#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/base/vector_operations.h>
#include <tessera/fem/driver/linear_solver.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>
#include <tessera/program/choices.h>
#include <tessera/program/option_entries.h>
#include <tessera/program/patterns.h>
#include <tessera/program/text.h>

#include <algorithm>

namespace tessera
{
  namespace
  {
    /// The names of `FloatPart`, in order.
    const std::string mixed_precisions =
      "none|preconditioner|defect_correction";

    /// Returns the options that a preconditioner has, and adds a phrase for
    /// each other one to `unused`.
    OptionValues
    used_options(const std::string &name, const OptionValues &given,
                 std::string &unused)
    {
      return options_of(
        name, given, [&](const std::string &option, const OptionSet &set) {
          unused += (unused.empty() ? "'Solver/" : "; 'Solver/") + option +
                    "' = " + given.at(option) + " is for " +
                    preconditioners_with(set) + " and not used";
        });
    }

    std::string
    read_preconditioner(const Parameters &parameters)
    {
      const std::string entry = "Solver/Preconditioner";
      const std::string name  = parameters.get(entry);
      if (name == auto_preconditioner)
        return name;
      const bool mixed = parameters.get("Solver/Mixed precision") != "none" &&
                         parameters.get("Solver/Inner operator") != "same";
      const std::string of = mixed ? "Solver/Inner operator" : "Operator/Name";
      const std::string op = parameters.get(of);
      const auto legal     = operators_of_preconditioner(name);
      if (std::count(legal.begin(), legal.end(), op) == 0)
        throw ParameterError(
          "'" + entry + "' is " + name + ", which " +
          preconditioner_descriptor(name).works_with.needs + ", but '" + of +
          "' is " + op + "; legal with it " +
          (legal.size() == 1 ? "is " : "are ") + list_of(legal) + '.');
      return name;
    }

    std::vector<std::string>
    inner_operators()
    {
      auto names = operator_names();
      names.insert(names.begin(), "same");
      return names;
    }

    /// Throws ParameterError unless what an entry names works with an operator
    /// on a backend.
    void
    check_works(const std::string &entry, const std::string &name,
                const WorksWith &with, const std::string &op,
                const Backend backend)
    {
      if (!with.reads(descriptor(op)) || !with.is_for(backend))
        throw ParameterError("'" + entry + "' is " + name + ", which " +
                             with.needs + ", and " + op + " on the " +
                             to_string(backend) + " is none.");
    }
  } // namespace


  void
  LinearSolver::declare(Parameters &parameters)
  {
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
    parameters.declare("Operator/Strategy", default_strategy,
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
      "Operator/Entries", "blocks", Patterns::Selection("blocks|single"),
      "how rows of nodes with several components are stored. blocks: an index "
      "of a column serves all components, where the format can do so; single: "
      "every entry has its own, as in the formats of most libraries");
    parameters.declare(
      "Operator/Conflict", "default",
      Patterns::Selection("default|" + choices("conflict").selection()),
      "how threads that add to one entry are kept apart; see "
      "--list; default: what suits the backend");
    for (const OptionSet *const set : option_sets())
      declare_options(parameters, "Operator", *set, owners_of(*set));
    parameters.declare(
      "Solver/Preconditioner", auto_preconditioner,
      Patterns::Selection(std::string(auto_preconditioner) + '|' +
                          choices("preconditioner").selection()),
      "M of conjugate gradients; see --list; auto: " +
        diagonal_preconditioner() +
        ", and another one after as many iterations as it costs itself, if one "
        "is known to save time then");
    for (const OptionSet *const set : preconditioner_option_sets())
      declare_options(parameters, "Solver", *set, preconditioners_with(*set));
    parameters.declare("Solver/Mixed precision", "none",
                       Patterns::Selection(mixed_precisions),
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
    parameters.declare(
      "Solver/Relative tolerance", "1e-10", Patterns::Double(0., 1.),
      "the largest norm of b - A x, relative to the norm of b");
    parameters.declare("Solver/Absolute tolerance", "0", Patterns::Double(0.),
                       "the largest norm of b - A x; the larger one of both "
                       "tolerances decides");
    parameters.declare("Solver/Maximal iterations", "10000",
                       Patterns::Integer(1),
                       "the most iterations of conjugate gradients; exit code "
                       "4 when they do not suffice");
  }


  LinearSolver::LinearSolver(const Parameters &parameters)
    : operator_name(parameters.get("Operator/Name")),
      number(parameters.get("Operator/Number")),
      preconditioner(read_preconditioner(parameters)),
      method(parameters.get("Solver/Method"))
  {
    const auto get = [&](const std::string &name) {
      return parameters.get("Operator/" + name);
    };
    assembly.strategy = get("Strategy");
    if (get("Route") != "default")
      assembly.route = route_from_string(get("Route"));
    if (get("Conflict") != "default")
      assembly.conflict = conflict_from_string(get("Conflict"));
    assembly.storage = read_options(parameters, "Operator", option_sets());
    assembly.single_entries = get("Entries") == "single";
    if (const OperatorDescriptor &d = descriptor(operator_name);
        assembly.single_entries &&
        (!d.stores_blocks || !d.stores_blocks(assembly.storage)))
      throw ParameterError(
        "'Operator/Entries' is single, but 'Operator/Name' "
        "= " +
        operator_name +
        " with these options has no blocks of entries "
        "that could be single; legal is blocks.");
    preconditioner_options =
      read_options(parameters, "Solver", preconditioner_option_sets());
    if (preconditioner != auto_preconditioner)
      {
        preconditioner_options =
          used_options(preconditioner, preconditioner_options, unused_options);
        check_values(preconditioner_options,
                     preconditioner_descriptor(preconditioner).options,
                     "the preconditioner " + preconditioner);
      }
    const std::string way = parameters.get("Solver/Mixed precision");
    mixed                 = static_cast<FloatPart>(index_of_name(
                      way, program::split(mixed_precisions, '|'), "mixed precision"));
    if (parameters.get("Solver/Inner operator") != "same")
      inner = parameters.get("Solver/Inner operator");
    if (is_mixed() && number != "double")
      throw ParameterError("'Solver/Mixed precision' is " + way +
                           ", which is for 'Operator/Number' = double.");
    if (const Option *const start = start_option(preconditioner_options);
        mixed == FloatPart::defect_correction && start != nullptr)
      throw ParameterError("'Solver/" + start->name + "' is " +
                           start->value(preconditioner_options) +
                           ", which 'Solver/Mixed precision' = " + way +
                           " does not take; legal with it is " +
                           start->default_value + '.');
    if (!is_mixed() && !inner_is_same())
      throw ParameterError("'Solver/Inner operator' is " + inner +
                           ", but 'Solver/Mixed precision' is none.");
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
    const auto several = [](const auto &d) {
      return d.works_with.several_processes;
    };
    if (preconditioner != auto_preconditioner)
      {
        const auto &chosen = preconditioner_descriptor(preconditioner);
        if (!several(chosen))
          refuse("Solver/Preconditioner", preconditioner,
                 list_of(preconditioners_where(several)));
        const std::string name = preconditioned_name();
        if (!chosen.works_with.reads_parts_of(descriptor(name)))
          refuse(inner_is_same() ? "Operator/Name" : "Solver/Inner operator",
                 name + " with the preconditioner " + preconditioner,
                 chosen.works_with.needs_of_parts);
      }
    const auto &sets = preconditioner == auto_preconditioner
                         ? preconditioner_option_sets()
                         : preconditioner_descriptor(preconditioner).options;
    for (const OptionSet *const set : sets)
      if (!set->default_of_processes.empty())
        for (const Option &option : set->options)
          if (const auto given = preconditioner_options.find(option.name);
              given != preconditioner_options.end())
            refuse("Solver/" + option.name, given->second,
                   set->default_of_processes);
    if (method != "auto" && !several(cg_method_descriptor(method)))
      refuse("Solver/Method", method, list_of(cg_methods_where(several)));
  }


  void
  LinearSolver::check(const Backend backend) const
  {
    check_options(operator_name, backend, assembly);
    if (!inner_is_same())
      check_options(inner, backend, inner_assembly());
    const bool chooses = preconditioner == auto_preconditioner;
    if (!chooses)
      check_works("Solver/Preconditioner", preconditioner,
                  preconditioner_descriptor(preconditioner).works_with,
                  preconditioned_name(), backend);
    if (method == "auto")
      return;
    const CGMethodDescriptor &chosen = cg_method_descriptor(method);
    if (chosen.needs_diagonal && ((!chooses && !is_diagonal(preconditioner)) ||
                                  mixed == FloatPart::preconditioner))
      throw ParameterError(
        "'Solver/Method' is " + method +
        ", which needs a diagonal preconditioner in the number type of the "
        "solve; legal with others is " +
        list_of(
          cg_methods_where([](const auto &d) { return !d.needs_diagonal; })) +
        '.');
    const bool corrects = mixed == FloatPart::defect_correction;
    check_works("Solver/Method", method, chosen.works_with,
                corrects ? inner_name() : operator_name, backend);
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
    if (is_mixed() && !makes_float)
      refuse("Solver/Mixed precision", to_string(mixed),
             "none, since the form has no kernels in float and rows of hanging "
             "nodes are not rounded");
    const auto hanging = [](const auto &d) {
      return d.works_with.hanging_nodes;
    };
    if (preconditioner != auto_preconditioner &&
        !hanging(preconditioner_descriptor(preconditioner)))
      refuse("Solver/Preconditioner", preconditioner, "another one");
    if (method != "auto" && !hanging(cg_method_descriptor(method)))
      refuse("Solver/Method", method, list_of(cg_methods_where(hanging)));
  }


  std::string
  LinearSolver::advice() const
  {
    std::string result;
    if (!unused_options.empty())
      result = unused_options + ", since 'Solver/Preconditioner' is " +
               preconditioner + '.';
    if (mixed == FloatPart::preconditioner &&
        preconditioner != auto_preconditioner && is_diagonal(preconditioner))
      result += std::string(result.empty() ? "" : " ") +
                "'Solver/Preconditioner' is " + preconditioner +
                ", which is diagonal and gains nothing from 'Solver/Mixed "
                "precision' = preconditioner: the conversions cost more than "
                "an inverse in double.";
    return result;
  }


  std::string
  to_string(const FloatPart part)
  {
    return program::split(mixed_precisions, '|')[static_cast<int>(part)];
  }


  PreconditionerChoice
  LinearSolver::choose(PreconditionerQuestion of_case) const
  {
    if (preconditioner != auto_preconditioner)
      return {preconditioner, "", "", 0, preconditioner_options};
    of_case.op = &descriptor(preconditioned_name());
    of_case.at_once =
      is_mixed() || start_option(preconditioner_options) != nullptr;
    of_case.max_iterations = control.max_iterations;
    of_case.needs_diagonal =
      method != "auto" && cg_method_descriptor(method).needs_diagonal;
    PreconditionerChoice choice = choose_preconditioner(of_case);
    if (mixed == FloatPart::preconditioner && is_diagonal(choice.name))
      choice.reason +=
        "; it is diagonal and gains nothing from 'Solver/Mixed "
        "precision' = preconditioner";
    choice.options =
      used_options(choice.last(), preconditioner_options, choice.unused);
    return choice;
  }


  AssemblyOptions
  LinearSolver::inner_assembly() const
  {
    if (inner_is_same())
      return assembly;
    AssemblyOptions options;
    options.strategy = assembly.strategy;
    if (!stores_rows(inner))
      options.conflict = assembly.conflict;
    return options;
  }

} // namespace tessera
